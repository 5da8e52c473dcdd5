// Uses the playground's page in Chromium as a newcomer does who has started the demo: moves issues by their labels, writes
// commands, and waits for Colony's answer to appear on the open page. Looks at the rest of the page, too.
//
//   node page.mjs URL FOLDER
//
// URL is the address that the demo prints; screenshots go to FOLDER. Prints one line for each thing that was seen or
// missed, and exits with 1 if anything was missed or the page complained.

import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { patience, withPage } from './chromium.mjs'
import { end, id, must, step } from './steps.mjs'

const [url, folder, ...rest] = process.argv.slice(2)
if (!url || !folder || rest.length > 0) {
  process.stderr.write('usage: node page.mjs URL FOLDER\n')
  process.exit(2)
}
await mkdir(folder, { recursive: true })

const colony = 'colony[bot]'

const shoot = (page, name) => page.screenshot({ path: join(folder, `${name}.png`), fullPage: true })

const actAs = async (page, login) => {
  await Promise.all([page.waitForNavigation(), page.selectOption(id('act-as-login'), login)])
  must((await page.locator(id('act-as-login')).inputValue()) === login, `nobody acts as ${login}`)
}

const openIssue = async (page, title) => {
  await page.goto(url)
  await page.locator(id('issue-row')).getByRole('link', { name: title, exact: true }).click()
  await page.locator(id('issue-title')).filter({ hasText: title }).waitFor()
}

const pick = async (page, label) => {
  await page.locator(`${id('picker')} input[name="label"][value="${label}"]`).check()
  await Promise.all([page.waitForNavigation(), page.click(id('apply-labels'))])
}

const comment = async (page, text) => {
  await page.fill(id('comment-body'), text)
  await Promise.all([page.waitForNavigation(), page.click(id('comment-submit'))])
}

const chip = (page, label) => page.locator(`${id('issue-labels')} [data-label="${label}"]`)
const event = (page, by, what, label) => page.locator(`${id('event')}[data-by="${by}"][data-event="${what}"]`).filter({ has: page.locator(`[data-label="${label}"]`) })
const answers = (page) => page.locator(`${id('comment')}[data-by="${colony}"]`)

const appears = (locator) => locator.first().waitFor({ state: 'visible', timeout: patience })
const goes = (locator) => locator.first().waitFor({ state: 'detached', timeout: patience })

// What a page did while a browser left it is no complaint: the script's last question may be cut off.
const leaving = (complaint) => /^failed: GET \S+\/live\?\S+ net::ERR_ABORTED$/.test(complaint)

const complaintsOf = (complaints, expected = []) => complaints.filter((c) => !leaving(c) && !expected.some((e) => c.includes(e)))

await withPage(url, async (page, complaints) => {
  await step('the list of issues, with the labels of their states', async () => {
    const response = await page.goto(url)
    must(response?.ok(), `status ${response?.status()}`)
    await appears(page.locator(`${id('issue-row')} [data-label="colony:in-development"]`))
    await appears(page.locator(id('notice')))
    await shoot(page, 'issues')
  })

  await step('an operator is acted as', () => actAs(page, 'tara'))

  await step('a legal move: the old label goes, without the page being loaded anew', async () => {
    await openIssue(page, 'Show the price beside the name')
    await appears(chip(page, 'colony:in-development'))
    await pick(page, 'colony:in-review')
    await page.evaluate(() => { window.stayed = true })
    await appears(chip(page, 'colony:in-review'))
    await goes(chip(page, 'colony:in-development'))
    await appears(event(page, colony, 'unlabeled', 'colony:in-development'))
    must(await page.evaluate(() => window.stayed), 'the page was loaded anew')
    must((await answers(page).count()) === 0, 'Colony said something')
    await shoot(page, 'moved')
  })

  await step('an illegal move: undone, explained, and a person is asked to look', async () => {
    await openIssue(page, 'A new catalogue')
    await pick(page, 'colony:new')
    await page.fill(id('comment-body'), 'a draft')
    await appears(answers(page).filter({ hasText: 'waiting-for-subtasks' }))
    await appears(chip(page, 'colony:needs-human'))
    await goes(chip(page, 'colony:new'))
    await appears(chip(page, 'colony:waiting-for-subtasks'))
    await appears(event(page, colony, 'unlabeled', 'colony:new'))
    must((await page.inputValue(id('comment-body'))) === 'a draft', 'what was being written is lost')
    must((await answers(page).count()) === 1, 'Colony said it more than once')
    await shoot(page, 'refused')
  })

  await step('/colony:status, asked by a reader, is answered', async () => {
    await actAs(page, 'rita')
    await openIssue(page, 'Round corners')
    await comment(page, '/colony:status')
    await appears(page.locator(`${id('comment')}[data-by="rita"] [data-reaction="+1"][data-by="${colony}"]`))
    await appears(answers(page).filter({ hasText: 'in-review' }))
    await shoot(page, 'status')
  })

  await step('pause and resume by command', async () => {
    await actAs(page, 'olivia')
    await openIssue(page, 'Round corners')
    await comment(page, '/colony:pause until the design is there')
    await appears(chip(page, 'colony:paused'))
    await goes(chip(page, 'colony:in-review'))
    await comment(page, '/colony:resume')
    await appears(chip(page, 'colony:in-review'))
    await goes(chip(page, 'colony:paused'))
    await shoot(page, 'resumed')
  })

  await step('a new issue, closed and opened again', async () => {
    await page.goto(url)
    await page.click(id('new-issue'))
    await page.fill(id('title'), 'The <b>page</b> was here')
    await page.fill(id('body'), 'With **Markdown**, and <script>document.title = "broken"</script>.')
    await Promise.all([page.waitForNavigation(), page.click(id('create'))])
    await appears(page.locator(`${id('issue-body')} strong`).filter({ hasText: 'Markdown' }))
    must((await page.title()).startsWith('The <b>page</b> was here'), `the title is ${await page.title()}`)
    await Promise.all([page.waitForNavigation(), page.click(id('close'))])
    await Promise.all([page.waitForNavigation(), page.click(id('reopen'))])
    await appears(page.locator(`${id('event')}[data-event="reopened"][data-by="olivia"]`))
    await shoot(page, 'opened')
  })

  await step('the deliveries, and the payload of one', async () => {
    await page.click(id('nav-deliveries'))
    await appears(page.locator(`${id('delivery')}[data-event="issues.labeled"][data-outcome="ok"]`))
    await shoot(page, 'deliveries')
    await page.locator(`${id('delivery')}[data-event="issues.labeled"] .row-title a`).first().click()
    const payload = JSON.parse(await page.locator(id('payload')).innerText())
    must(payload.action === 'labeled', `the action is ${payload.action}`)
  })

  await step('the other pages, in the dark and on a phone', async () => {
    const shown = new URL(url)
    const issue = `${shown.pathname.replace(/\/issues$/, '')}/issues/8`
    for (const path of ['/', shown.pathname.replace(/\/issues$/, '/labels'), '/-/faults']) {
      const response = await page.goto(new URL(path, url).href)
      must(response?.ok(), `${path}: status ${response?.status()}`)
    }
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.goto(new URL(issue, url).href)
    await shoot(page, 'dark')
    await page.emulateMedia({ colorScheme: 'light' })
    await page.setViewportSize({ width: 390, height: 844 })
    for (const [name, path] of [['phone-issue', issue], ['phone-issues', shown.pathname], ['phone-deliveries', '/deliveries']]) {
      await page.goto(new URL(path, url).href)
      const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
      must(over <= 0, `${path} is ${over} pixels wider than a phone`)
      await shoot(page, name)
    }
  })

  await step('the page did not complain', async () => {
    const left = complaintsOf(complaints)
    must(left.length === 0, left.join('; '))
  })
})

await withPage(url, async (page, complaints) => {
  await step('a reader who edits labels reads why nothing happened', async () => {
    await page.goto(url)
    await actAs(page, 'rita')
    await openIssue(page, 'Make it faster')
    await pick(page, 'colony:ready-for-dev')
    await appears(page.locator(id('alert')).filter({ hasText: '403' }))
    must((await chip(page, 'colony:ready-for-dev').count()) === 0, 'the label was added all the same')
    await shoot(page, 'not-allowed')
    const left = complaintsOf(complaints, ['403'])
    must(left.length === 0, left.join('; '))
  })
})

await withPage(url, async (page) => {
  await step('without JavaScript: a comment, and a page that loads itself anew', async () => {
    const context = await page.context().browser().newContext({ javaScriptEnabled: false })
    context.setDefaultTimeout(patience)
    const plain = await context.newPage()
    await plain.goto(url)
    await plain.locator(id('issue-row')).getByRole('link', { name: 'Make it faster', exact: true }).click()
    await plain.fill(id('comment-body'), 'Written without a script.')
    await plain.click(id('comment-submit'))
    await appears(plain.locator(id('comment')).filter({ hasText: 'Written without a script.' }))
    await plain.getByRole('link', { name: 'Keep this page up to date' }).click()
    await plain.locator('meta[http-equiv="refresh"]').waitFor({ state: 'attached' })
    await context.close()
  })
})

end()
