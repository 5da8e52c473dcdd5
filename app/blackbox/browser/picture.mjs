// Makes the picture of README from the demo: a bot's move that Colony undoes, and the board next to it. A person resumes another
// issue first, which shortens the board's list.
//
//   node picture.mjs URL FOLDER
//
// URL is the address that the demo prints. FOLDER receives refused-light.png, refused-dark.png, and refused.txt, the text of both
// pictures without times. Exits with 1 if something was missed.

import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { patience, withPage } from './chromium.mjs'
import { end, id, must, step } from './steps.mjs'

const [url, folder, ...rest] = process.argv.slice(2)
if (!url || !folder || rest.length > 0) {
  process.stderr.write('usage: node picture.mjs URL FOLDER\n')
  process.exit(2)
}
await mkdir(folder, { recursive: true })

const bot = 'dev-bot[bot]'
const title = 'Show the price beside the name'
const resumed = 'Upgrade the database driver'
// What each page has next to what the picture is about.
const issueRest = ['header.top', '.repo-bar', id('notice'), id('comment-form'), 'aside', '.to-picker', 'footer.bottom']
const boardRest = ['header.top', '#content > h2', '#content > .scroll', 'footer.bottom']
const sharpness = 1.4 // pixels of the picture for each pixel of CSS

const actAs = (page, login) => Promise.all([page.waitForNavigation(), page.selectOption(id('act-as-login'), login)])

const openIssue = async (page, name) => {
  await page.goto(url)
  await page.locator(id('issue-row')).getByRole('link', { name, exact: true }).click()
  await page.locator(id('issue-title')).filter({ hasText: name }).waitFor()
}

// without hides elements as the page's own policy allows it: by property, not by a style sheet.
const without = (page, selectors) => page.evaluate((all) => {
  for (const selector of all) {
    const found = document.querySelectorAll(selector)
    if (found.length === 0) throw new Error(`${selector} is not on the page`)
    for (const element of found) element.style.display = 'none'
  }
}, selectors)

// withoutEarlier hides the events before the bot's move.
const withoutEarlier = (page) => page.locator(id('event')).evaluateAll((events) => {
  const move = events.findIndex((e) => e.querySelector('[data-label="colony:done"]'))
  for (const event of events.slice(0, move)) event.style.display = 'none'
})

// lines is what an element shows. Times depend on the speed of the machine.
const lines = async (locator) => (await locator.innerText())
  .replaceAll(/just now|\b(\d+|a|an) (second|minute)s? ago/g, 'TIME')
  .replaceAll(/less than a minute|\b\d+ minutes?/g, 'TIME')
  .split('\n').map((line) => line.replaceAll(/\s+/g, ' ').trim()).filter((line) => line.length > 1) // not the initials of avatars

const frame = (left, right, dark) => `<!doctype html>
<style>
  body { display: inline-flex; gap: 20px; margin: 0; align-items: stretch }
  figure { margin: 0; border: 1px solid ${dark ? '#3d444d' : '#d1d9e0'}; border-radius: 10px; overflow: hidden; background: ${left.background} }
  img { display: block }
</style>
<body>${[left, right].map((part) => `<figure><img width="${part.width}" src="data:image/png;base64,${part.image.toString('base64')}"></figure>`).join('')}</body>`

await withPage(url, async (first) => {
  const context = await first.context().browser().newContext({ deviceScaleFactor: sharpness, viewport: { width: 580, height: 400 }, reducedMotion: 'reduce' })
  context.setDefaultTimeout(patience)
  const issue = await context.newPage()
  const board = await context.newPage()

  await step('a person resumes the paused issue', async () => {
    await issue.goto(url)
    await actAs(issue, 'olivia')
    await openIssue(issue, resumed)
    await issue.fill(id('comment-body'), '/colony:resume')
    await Promise.all([issue.waitForNavigation(), issue.click(id('comment-submit'))])
    await issue.locator(`${id('issue-labels')} [data-label="colony:paused"]`).waitFor({ state: 'detached' })
  })

  await step('a bot marks its own work as done, and Colony undoes it', async () => {
    await actAs(issue, bot)
    await openIssue(issue, title)
    await issue.locator(`${id('picker')} input[name="label"][value="colony:done"]`).check()
    await Promise.all([issue.waitForNavigation(), issue.click(id('apply-labels'))])
    await issue.locator(`${id('comment')}[data-by="colony[bot]"]`).waitFor()
    await issue.locator(`${id('issue-labels')} [data-label="colony:done"]`).waitFor({ state: 'detached' })
    await issue.locator(`${id('event')}[data-by="colony[bot]"][data-event="unlabeled"]`).nth(1).waitFor()
  })

  await step('the board asks a person', async () => {
    await issue.goto(issue.url())
    await board.goto(await issue.locator(id('side-colony')).getAttribute('href'))
    await board.setViewportSize({ width: 470, height: 400 })
    await board.locator(id('waiting-issue')).filter({ hasText: title }).waitFor()
    await board.locator(id('waiting-issue')).filter({ hasText: resumed }).waitFor({ state: 'detached' })
  })

  await step('both are drawn, in the light and in the dark', async () => {
    const shown = ['# The issue']
    const parts = [[issue, 580, issueRest], [board, 470, boardRest]]
    for (const colorScheme of ['light', 'dark']) {
      const images = []
      for (const [page, width, hidden] of parts) {
        await page.emulateMedia({ colorScheme })
        await page.goto(page.url())
        await without(page, hidden)
        if (page === issue) await withoutEarlier(page)
        images.push({ width, image: await page.screenshot({ fullPage: true, animations: 'disabled' }), background: await page.evaluate(() => getComputedStyle(document.body).backgroundColor) })
      }
      const drawn = await context.newPage()
      await drawn.setContent(frame(...images, colorScheme === 'dark'))
      await drawn.locator('body').screenshot({ path: join(folder, `refused-${colorScheme}.png`), omitBackground: true })
      await drawn.close()
    }
    shown.push(...await lines(issue.locator('#content')), '', '# The board', ...await lines(board.locator('#content')))
    must(shown.join('\n').includes('Colony undid this move'), 'the picture lacks the refusal')
    await writeFile(join(folder, 'refused.txt'), `${shown.join('\n')}\n`)
  })
})

end()
