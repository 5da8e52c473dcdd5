// The pages work without this script. It brings in what changed meanwhile, and copies commands.

const main = document.querySelector('main')

const prepare = (root) => {
  for (const button of root.querySelectorAll('[data-copy]')) button.hidden = !navigator.clipboard
}
prepare(document)

document.addEventListener('click', async (event) => {
  const button = event.target.closest('[data-copy]')
  if (!button) return
  await navigator.clipboard.writeText(button.dataset.copy)
  document.getElementById('said').textContent = `Copied ${button.dataset.copy}`
})

// What has the focus is found again by its id, or by its place among the links and buttons of its part.
const placeOf = (part) => {
  const focused = document.activeElement
  if (!focused || !part.contains(focused)) return null
  const all = [...part.querySelectorAll('a, button, [tabindex]')]
  return { id: focused.id, at: all.indexOf(focused), whole: focused === part }
}

const focusAgain = (part, place) => {
  if (!place) return
  const all = [...part.querySelectorAll('a, button, [tabindex]')]
  const found = place.whole ? part : (place.id && document.getElementById(place.id)) || all[Math.min(place.at, all.length - 1)] || main
  found.focus({ preventScroll: true })
}

const bringIn = (fresh) => {
  for (const part of fresh.querySelectorAll('[data-part]')) {
    const shown = document.getElementById(part.id)
    prepare(part)
    if (!shown || shown.isEqualNode(part)) continue
    const place = placeOf(shown)
    const { scrollLeft } = shown
    shown.replaceWith(part)
    part.scrollLeft = scrollLeft
    focusAgain(part, place)
  }
}

let loading = false
let again = false
const look = async () => {
  if (loading) {
    again = true
    return
  }
  loading = true
  try {
    const response = await fetch(location.href, { redirect: 'error' })
    if (response.status === 401) location.reload() // the session is over
    if (response.status === 200) bringIn(new DOMParser().parseFromString(await response.text(), 'text/html'))
  } catch {
    // Colony may have stopped; the stream tells when it is back.
  }
  loading = false
  if (again) {
    again = false
    setTimeout(look, 200)
  }
}

if (main.dataset.live) {
  const changes = new EventSource(main.dataset.live)
  changes.addEventListener('change', look)
  changes.addEventListener('error', () => { if (changes.readyState === EventSource.CLOSED) look() }) // refused, so the page may be, too
}
