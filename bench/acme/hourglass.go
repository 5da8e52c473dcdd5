package acme

// Hourglass is a lifecycle that lets no issue stay.
const Hourglass = `name: hourglass
summary: Issues that may not stay.
initial: untouched
states:
  - {name: untouched, type: active, meaning: Nobody has looked.}
  - {name: open, type: active, label: "colony:open", color: c5def5, description: Somebody looks., meaning: Somebody looks.}
  - {name: late, type: awaiting-human, label: "colony:late", color: fbca04, description: It took too long., meaning: It took too long.}
transitions:
  - kind: forward
    source: the glass
    pairs:
      - {from: untouched, to: open, why: Somebody looks}
      - {from: open, to: late, why: It took too long}
      - {from: late, to: open, why: Somebody looks again}
time-outs:
  - {in: open, after: 1h, to: late, why: Nobody answered}
`
