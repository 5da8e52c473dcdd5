// Starts the machine's own Chromium for a test and gives it a page that watches itself.

import { access } from 'node:fs/promises'
import { chromium } from 'playwright-core'

const candidates = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

// Milliseconds; bounds a wait for what is sure to come. A busy machine takes long to start Chromium for the first time.
export const patience = 120_000

// The last three keep Chromium from calling home, which fails at every start where there is no network.
const flags = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/**
 * Runs act(page, complaints) in a fresh browser with an empty profile, and closes it whatever happens.
 * complaints fills with what went wrong on the page meanwhile: uncaught errors, errors on
 * the console, requests that failed, and requests to any host but the page's own.
 */
export async function withPage(url, act) {
  const browser = await chromium.launch({ executablePath: await executable(), args: flags, timeout: patience })
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
    page.context().setDefaultTimeout(patience)
    const complaints = []
    page.on('pageerror', (error) => complaints.push(`uncaught: ${error.message}`))
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(`console: ${message.text()}`)
    })
    page.on('requestfailed', (request) => {
      complaints.push(`failed: ${request.method()} ${request.url()}: ${request.failure()?.errorText}`)
    })
    page.on('request', (request) => {
      const asked = new URL(request.url())
      if (asked.protocol !== 'data:' && asked.origin !== new URL(url).origin) complaints.push(`elsewhere: ${request.url()}`)
    })
    return await act(page, complaints)
  } finally {
    await browser.close()
  }
}

async function executable() {
  const named = process.env.CHROMIUM ? [process.env.CHROMIUM] : candidates
  for (const path of named) {
    try {
      await access(path)
      return path
    } catch {
      // the next one
    }
  }
  throw new Error(`no Chromium at ${named.join(', ')}: install Debian's package chromium, or name one in CHROMIUM`)
}
