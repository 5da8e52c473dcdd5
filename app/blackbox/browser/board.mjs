// Uses both tabs of the demo in Chromium: a move that Colony refuses on GitHub's page arrives on the open pages of the board. Looks at
// every page of both with axe, wide and narrow, light and dark.
//
//   node board.mjs URL FOLDER
//
// URL is the address that the demo prints; screenshots go to FOLDER. Prints one line for each thing that was seen or
// missed, and exits with 1 if anything was missed.

import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { patience, withPage } from './chromium.mjs'
import { end, id, must, step, violations } from './steps.mjs'

const [url, folder, ...rest] = process.argv.slice(2)
if (!url || !folder || rest.length > 0) {
  process.stderr.write('usage: node board.mjs URL FOLDER\n')
  process.exit(2)
}
await mkdir(folder, { recursive: true })

const appears = (locator) => locator.first().waitFor({ state: 'visible' })

const over = (page) => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

await withPage(url, async (github, complaints) => {
  let board
  let colony
  await step('the second tab is Colony', async () => {
    await github.goto(url)
    board = await github.locator(id('side-colony')).getAttribute('href')
    colony = await github.context().browser().newPage()
    colony.setDefaultTimeout(patience)
    colony.on('pageerror', (error) => complaints.push(`uncaught: ${error.message}`))
    colony.on('console', (message) => { if (message.type() === 'error') complaints.push(`console: ${message.text()}`) })
    await colony.goto(board)
    await appears(colony.getByRole('heading', { name: 'Needs you', exact: true }))
  })

  await step('a refusal on one tab arrives on the other', async () => {
    await github.goto(url)
    await github.getByRole('link', { name: 'A new catalogue', exact: true }).click()
    await github.locator(`${id('picker')} input[value="colony:new"]`).check()
    await colony.evaluate(() => { window.stayed = true })
    const link = colony.locator('#waiting a').first()
    await link.focus()
    const focused = await link.getAttribute('id')
    await Promise.all([github.waitForNavigation(), github.click(id('apply-labels'))])
    must(await github.evaluate(() => document.querySelector('[data-picker]').contains(document.activeElement)), 'the focus is lost after Apply')
    await appears(github.locator(`${id('issue-labels')} [data-label="colony:needs-human"]`))
    const seen = Date.now()
    await appears(colony.locator(id('waiting-issue')).filter({ hasText: 'A new catalogue' }))
    must(Date.now() - seen < 1000, `it took ${Date.now() - seen} ms`)
    must(await colony.evaluate(() => window.stayed), 'the page was loaded anew')
    must((await colony.evaluate(() => document.activeElement.id)) === focused, 'the focus is lost')
    await colony.locator(id('waiting-issue')).filter({ hasText: 'A new catalogue' }).getByRole('link', { name: 'A new catalogue' }).click()
    await appears(colony.locator(`${id('event')}[data-refused]`))
  })

  await step("GitHub's list brings in what changed", async () => {
    await github.goto(url)
    await github.evaluate(() => { window.stayed = true })
    const other = await github.context().browser().newPage()
    await other.goto(new URL(`${new URL(url).pathname}/new`, url).href)
    await other.fill(id('title'), 'Opened meanwhile')
    await Promise.all([other.waitForNavigation(), other.click(id('create'))])
    await appears(github.locator(id('issue-row')).filter({ hasText: 'Opened meanwhile' }))
    must(await github.evaluate(() => window.stayed), 'the list was loaded anew')
    await other.close()
  })

  await step('the skip link leads to the content', async () => {
    await colony.goto(board)
    await colony.keyboard.press('Tab')
    must((await colony.evaluate(() => document.activeElement.textContent)) === 'Skip to the content', 'it is not the first')
    await colony.keyboard.press('Enter')
    must((await colony.evaluate(() => document.activeElement.id)) === 'content', 'it leads elsewhere')
  })

  const list = new URL(url).pathname
  const repository = list.replace(/\/issues$/, '')
  const pages = [
    ['needs-you', colony, board], ['repository', colony, `${board}${repository}`], ['issue', colony, `${board}${repository}/6`],
    ['flow', colony, `${board}${repository}/flow`],
    ...['/', list, `${list}/6`, `${repository}/labels`, `${list}/new`, '/deliveries', '/-/faults'].map((path) => [`github${path.replaceAll('/', '-')}`, github, new URL(path, url).href]),
  ]
  for (const colorScheme of ['light', 'dark']) {
    for (const [size, width] of [['wide', 1280], ['narrow', 390]]) {
      for (const [name, page, address] of pages) {
        await step(`${name}, ${size}, ${colorScheme}: nothing that axe objects to`, async () => {
          await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
          await page.setViewportSize({ width, height: 900 })
          const response = await page.goto(address)
          must(response?.ok(), `status ${response?.status()}`)
          await page.screenshot({ path: join(folder, `${name}-${size}-${colorScheme}.png`), fullPage: true })
          must((await over(page)) <= 0, `${await over(page)} pixels wider than the window`)
          const found = await violations(page)
          must(found.length === 0, found.join(' | '))
        })
      }
    }
  }

  await step('the pages did not complain', async () => {
    const left = complaints.filter((c) => !/^failed: \S+ \S+ net::ERR_ABORTED$/.test(c))
    must(left.length === 0, left.join('; '))
  })
})

end()
