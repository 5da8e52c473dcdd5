// Opens a page of the playground in Chromium and takes a screenshot of it.
// Fails if the page is not answered with 2xx, or complains while it loads.
//
//   node page.mjs URL SCREENSHOT.png

import { withPage } from './chromium.mjs'

const [url, screenshot, ...rest] = process.argv.slice(2)
if (!url || !screenshot || rest.length > 0) {
  process.stderr.write('usage: node page.mjs URL SCREENSHOT.png\n')
  process.exit(2)
}

const seen = await withPage(url, async (page, complaints) => {
  const response = await page.goto(url, { waitUntil: 'load' })
  await page.screenshot({ path: screenshot, fullPage: true })
  return { status: response?.status() ?? 0, title: await page.title(), complaints }
})

process.stdout.write(JSON.stringify({ ...seen, screenshot }) + '\n')
if (seen.status < 200 || seen.status > 299 || seen.complaints.length > 0) {
  process.exit(1)
}
