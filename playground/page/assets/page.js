// The page works without this script. It brings in what changed meanwhile, and spares some clicks.

// Milliseconds: how often the playground is asked for news, and how often once there was none for a while.
const poll = 1000
const slowPoll = 5000
const awhile = 120_000

for (const hidden of document.querySelectorAll('[data-without-script]')) hidden.hidden = true

for (const select of document.querySelectorAll('select[data-submits]')) {
  select.addEventListener('change', () => select.form.requestSubmit())
}

// The picker: how many changes are pending, and a filter.

const changed = (picker) => {
  const was = new Set([...picker.querySelectorAll('input[name=was]')].map((input) => input.value))
  return [...picker.querySelectorAll('input[name=label]')].filter((box) => box.checked !== was.has(box.value)).length
}

const filterOf = (picker) => picker.querySelector('[data-filter]')

const refresh = (picker) => {
  const n = changed(picker)
  picker.querySelector('[data-apply]').disabled = n === 0
  picker.querySelector('[data-pending]').textContent = n === 0 ? '' : n === 1 ? '1 change' : `${n} changes`
  const words = filterOf(picker).value.toLowerCase()
  for (const pick of picker.querySelectorAll('.pick')) pick.hidden = !pick.textContent.toLowerCase().includes(words)
}

const prepare = (picker) => {
  for (const shown of picker.querySelectorAll('[data-with-script]')) shown.hidden = false
  refresh(picker)
}

document.addEventListener('input', (event) => {
  const picker = event.target.closest('[data-picker]')
  if (picker) refresh(picker)
})
document.addEventListener('keydown', (event) => {
  if (event.key === 'Enter' && event.target.matches('[data-filter]')) event.preventDefault()
  if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && event.target.matches('textarea')) {
    event.target.form.requestSubmit()
  }
})
document.querySelectorAll('[data-picker]').forEach(prepare)

// Whoever applied labels by keyboard goes on where they were, although the page was loaded anew.

const focusPicker = (picker, label) => {
  const box = [...picker.querySelectorAll('input[name=label]')].find((input) => input.value === label)
  ;(box ?? filterOf(picker)).focus({ preventScroll: true })
}
const applied = 'applied labels at'
document.addEventListener('submit', (event) => {
  if (event.target.matches('[data-picker]')) sessionStorage.setItem(applied, location.pathname)
})
if (sessionStorage.getItem(applied) === location.pathname) {
  for (const picker of document.querySelectorAll('[data-picker]')) focusPicker(picker)
}
sessionStorage.removeItem(applied)

// News: parts are replaced as a whole, lists of parts child by child, so that what stays is not touched.

const parsed = (text) => new DOMParser().parseFromString(text, 'text/html').getElementById('live')

const inUse = (part) => {
  if (part.matches('[data-picker]')) return changed(part) > 0 || filterOf(part).value !== ''
  return part.contains(document.activeElement)
}

const replacePart = (fresh) => {
  const shown = document.getElementById(fresh.id)
  if (!shown || shown.isEqualNode(fresh)) return true
  if (inUse(shown)) return false
  const focused = shown.contains(document.activeElement) && document.activeElement
  shown.replaceWith(fresh)
  if (fresh.matches('[data-picker]')) {
    prepare(fresh)
    if (focused) focusPicker(fresh, focused.value)
  }
  return true
}

const mergeParts = (fresh) => {
  const shown = document.getElementById(fresh.id)
  const kept = new Set()
  let before = null
  for (const child of [...fresh.children]) {
    const old = child.id ? document.getElementById(child.id) : null
    let now = old
    if (!old) {
      child.classList.add('arrived')
      now = child
      if (before) before.after(now)
      else shown.prepend(now)
    } else if (!old.isEqualNode(child) && !inUse(old)) {
      old.replaceWith(child)
      now = child
    }
    kept.add(now)
    before = now
  }
  for (const child of [...shown.children]) if (!kept.has(child)) child.remove()
}

const live = document.querySelector('[data-live]')

const look = async () => {
  if (document.visibilityState !== 'visible') return
  const response = await fetch(`${live.dataset.live}${live.dataset.live.includes('?') ? '&' : '?'}version=${encodeURIComponent(live.dataset.version)}`, { redirect: 'error' })
  if (response.status !== 200) return
  const fresh = parsed(await response.text())
  if (!fresh) return
  lastNews = Date.now()
  let whole = true
  for (const list of fresh.querySelectorAll('[data-parts]')) mergeParts(list)
  for (const part of fresh.querySelectorAll('[data-part]')) whole = replacePart(part) && whole
  // A part that is in use is brought in later: as long as the version is the old one, it is asked for again.
  if (whole) live.dataset.version = fresh.dataset.version
}

let lastNews = Date.now()
document.addEventListener('visibilitychange', () => { lastNews = Date.now() })

if (live) {
  const again = async () => {
    try {
      await look()
    } catch {
      // The playground may have stopped; it is asked again.
    }
    setTimeout(again, Date.now() - lastNews < awhile ? poll : slowPoll)
  }
  setTimeout(again, poll)
}
