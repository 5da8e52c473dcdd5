// What the scripts that use a page have in common: steps, each of which is seen or missed.

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

// end exits with 1 if anything was missed.
export const end = () => process.exit(missed > 0 ? 1 : 0)
