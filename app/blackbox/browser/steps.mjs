// What the scripts that use a page have in common: steps, each of which is seen or missed.

import axe from 'axe-core'

let missed = 0

// step prints one line for what was seen or missed.
export const step = async (what, see) => {
  try {
    await see()
    process.stdout.write(`ok      ${what}\n`)
  } catch (error) {
    missed++
    process.stdout.write(`MISSED  ${what}: ${error.message}\n`)
  }
}

export const must = (holds, what) => {
  if (!holds) throw new Error(what)
}

// id selects what the playground's page marks for tests.
export const id = (name) => `[data-testid="${name}"]`

// violations are what axe finds on a page.
export const violations = async (page) => {
  await page.evaluate(axe.source)
  const { violations: found } = await page.evaluate(() => window.axe.run())
  return found.map((v) => `${v.id}: ${v.nodes.map((n) => `${n.target.join(' ')} (${n.any[0]?.message ?? v.help})`).slice(0, 3).join('; ')}`)
}

// end exits with 1 if anything was missed.
export const end = () => process.exit(missed > 0 ? 1 : 0)
