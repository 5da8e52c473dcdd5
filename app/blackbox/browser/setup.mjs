// Sets an App up in Chromium as an operator does who started "colony setup", and makes the first move with it.
//
//   node setup.mjs create URL FOLDER WEBHOOK     creates the App; the last line is the link that installs it
//   node setup.mjs move LINK FOLDER              installs it on acme, and moves a new issue of acme/widgets
//   node setup.mjs board COLONY FOLDER           signs in to the board of the Colony that has the App, and out again
//
// URL is the address that colony setup prints; screenshots go to FOLDER. Prints one line for each thing that was seen or missed,
// and exits with 1 if anything was missed or a page complained.

import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { patience, withPage } from './chromium.mjs'
import { end, id, must, step, violations } from './steps.mjs'

const [part, url, folder, webhook, ...rest] = process.argv.slice(2)
if (!['create', 'move', 'board'].includes(part) || !url || !folder || (part === 'create') !== !!webhook || rest.length > 0) {
  process.stderr.write('usage: node setup.mjs create URL FOLDER WEBHOOK | node setup.mjs move LINK FOLDER | node setup.mjs board COLONY FOLDER\n')
  process.exit(2)
}
await mkdir(folder, { recursive: true })

const shoot = (page, name) => page.screenshot({ path: join(folder, `${name}.png`), fullPage: true })

const fits = async (page, name) => {
  await page.setViewportSize({ width: 390, height: 844 })
  const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
  must(over <= 0, `the page is ${over} pixels wider than a phone`)
  await shoot(page, `${name}-phone`)
  await page.setViewportSize({ width: 1280, height: 900 })
}

const create = async (page, complaints) => {
  const github = []
  await step('the page asks, and says what is missing beside the field', async () => {
    const response = await page.goto(url)
    must(response?.ok(), `status ${response?.status()}`)
    await shoot(page, 'ask')
    await fits(page, 'ask')
    github.push(new URL(await page.getByLabel('GitHub', { exact: true }).inputValue()).origin)
    await page.getByLabel('Address of Colony').fill('colony')
    await page.getByLabel('Organization', { exact: true }).fill('acme')
    await page.getByLabel('Name of the App').fill('Colony of Acme')
    await page.getByLabel('Name of the App').press('Enter') // the keyboard is enough
    await page.locator('#webhook-url[aria-invalid="true"]').waitFor()
    must((await page.getByLabel('Name of the App').inputValue()) === 'Colony of Acme', 'what was filled in is lost')
    await shoot(page, 'problem')
    await page.getByLabel('Address of Colony').fill(webhook)
    await page.getByRole('button', { name: 'Continue' }).click()
  })

  await step('it shows what the App may do', async () => {
    await page.getByText('issues: write').waitFor()
    await page.emulateMedia({ colorScheme: 'dark' })
    await shoot(page, 'confirm-dark')
    await page.emulateMedia({ colorScheme: 'light' })
    await fits(page, 'confirm')
  })

  await step('GitHub asks for the name, and leads back', async () => {
    await page.getByRole('button', { name: 'Create the App on GitHub' }).click()
    await page.locator(id('app-name')).waitFor()
    must(new URL(page.url()).origin === github[0], `the form leads to ${page.url()}`)
    await page.click(id('create-app'))
    await page.getByRole('heading', { name: 'Colony has its App' }).waitFor()
    must(new URL(page.url()).origin === new URL(url).origin, `GitHub leads to ${page.url()}`)
    await shoot(page, 'done')
    await fits(page, 'done')
  })

  await step('no page complained', async () => {
    const left = complaints.filter((c) => !github.some((g) => c.startsWith(`elsewhere: ${g}/`)) && !c.includes('status of 422'))
    must(left.length === 0, left.join('; '))
  })

  const link = await page.locator('a[href$="/installations/new"]').getAttribute('href')
  process.stdout.write(`link ${link}\n`)
}

const move = async (page, complaints) => {
  const picked = (label) => page.locator(`${id('picker')} input[name="label"][value="${label}"]`)
  const chip = (label) => page.locator(`${id('issue-labels')} [data-label="${label}"]`)

  await step('the App is installed', async () => {
    await page.goto(url)
    await page.selectOption(id('install-account'), 'acme')
    await shoot(page, 'install')
    await Promise.all([page.waitForNavigation(), page.click(id('install-app'))])
    must(page.url().endsWith('/acme'), `it leads to ${page.url()}`)
  })

  await step('a person opens an issue, and Colony finishes its first move', async () => {
    await page.goto(new URL('/acme/widgets/issues/new', url).href)
    await page.fill('input[name="title"]', 'It squeaks')
    await Promise.all([page.waitForNavigation(), page.locator(`${id('new-issue-form')} button`).last().click()])
    for (const label of ['colony:new', 'colony:analyzing']) {
      const until = Date.now() + patience
      while ((await picked(label).count()) === 0) {
        must(Date.now() < until, `there is no label ${label}`)
        await page.reload()
      }
      await picked(label).check()
      await Promise.all([page.waitForNavigation(), page.click(id('apply-labels'))])
      await chip(label).waitFor()
    }
    await chip('colony:new').waitFor({ state: 'detached' })
    await shoot(page, 'moved')
  })

  await step('no page complained', async () => {
    const left = complaints.filter((c) => !/^failed: GET \S+\/live\?\S+ net::ERR_ABORTED$/.test(c))
    must(left.length === 0, left.join('; '))
  })
}

const board = async (page, complaints) => {
  const github = []
  const looks = async (name) => {
    for (const colorScheme of ['light', 'dark']) {
      for (const [size, width] of [['wide', 1280], ['narrow', 390]]) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
        await page.setViewportSize({ width, height: 900 })
        await shoot(page, `${name}-${size}-${colorScheme}`)
        const found = await violations(page)
        must(found.length === 0, `${name}, ${size}, ${colorScheme}: ${found.join(' | ')}`)
      }
    }
  }

  await step('who is not signed in is asked to, and sees nothing', async () => {
    const response = await page.goto(new URL('/board/acme/widgets/1', url).href)
    must(response?.status() === 401, `status ${response?.status()}`)
    must(!(await page.content()).includes('It squeaks'), 'the page tells of the issue')
    await looks('sign-in')
  })

  await step('GitHub asks, and leads back to the page', async () => {
    await page.click(id('sign-in'))
    await page.locator(id('authorize')).waitFor()
    github.push(new URL(page.url()).origin)
    await looks('authorize')
    await page.selectOption(id('authorize-account'), 'olivia')
    await page.click(id('authorize'))
    await page.getByRole('heading', { name: 'It squeaks' }).waitFor()
    must(new URL(page.url()).pathname === '/board/acme/widgets/1', `it leads to ${page.url()}`)
    must((await page.locator(id('viewer')).textContent()) === 'olivia', 'it does not say who is signed in')
    await looks('signed-in')
  })

  await step('signing out ends it', async () => {
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.locator(id('sign-in')).waitFor()
    const response = await page.goto(new URL('/board', url).href)
    must(response?.status() === 401, `status ${response?.status()}`)
  })

  await step('no page complained', async () => {
    const left = complaints.filter((c) => !github.some((g) => c.startsWith(`elsewhere: ${g}/`)) && !c.includes('status of 401') && !/ net::ERR_ABORTED$/.test(c))
    must(left.length === 0, left.join('; '))
  })
}

await withPage(url, { create, move, board }[part])
end()
