package acme

// Desk is the lifecycle of a support desk, for a repository to bring.
const Desk = `name: desk
summary: Questions from the first look to the answer.
initial: untouched
bad-request: stuck
states:
  - {name: untouched, type: active, meaning: Nobody has looked.}
  - {name: open, type: active, label: "colony:open", color: c5def5, description: Somebody looks., meaning: Somebody looks.}
  - {name: asked, type: awaiting-human, label: "colony:asked", color: fbca04, description: The author was asked., meaning: The author was asked.}
  - {name: stuck, type: blocked, recovery: manual, label: "colony:stuck", color: b60205, description: A person has to look., meaning: A person has to look.}
  - {name: answered, type: terminal, label: "colony:answered", color: 0e8a16, description: There is an answer., meaning: There is an answer.}
transitions:
  - kind: forward
    source: the desk
    pairs:
      - {from: untouched, to: open, why: Somebody looks.}
      - {from: open, to: [asked, answered], why: Somebody looked.}
      - {from: asked, to: open, why: The author wrote.}
  - kind: backward
    source: the desk
    pairs:
      - {from: [open, asked], to: stuck, why: It does not go on.}
      - {from: stuck, to: open, why: It goes on.}
executors:
  - {role: clerk, works-in: open, requests: [asked, stuck]}
`

// Leads is a guard that lets only maintainers approve.
const Leads = `
  - name: leads
    why: A maintainer has to approve.
    from: in-review
    to: merge-pending
    requires:
      - permission: maintain
    unless:
      - label: trivial
        why: Trivial changes need none.
    needs-human: true
`
