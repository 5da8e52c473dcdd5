// Starts `emulate`, an independent stand-in for GitHub, holding the organisation
// that Colony's black-box tests work on. Prints one line of JSON when it is ready
// and stops when its standard input closes, so that it cannot outlive the test.
// README.md tells what differs from GitHub.

import { createSign, generateKeyPairSync } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { createEmulator } from 'emulate'

const usage = `usage: node server.mjs [--port N] [--private-key FILE] [--webhook-url URL --webhook-secret SECRET]
  --port            0, the default, takes a free port
  --private-key     PEM (RSA) of the App "colony"; without it a key is made, and removed at the end
  --webhook-url     where the App "colony" gets its webhooks; without it none are sent
  --webhook-secret  what they are signed with`

const org = 'acme'
const repository = 'acme/widgets'
const owner = 'ada'

// Takes no part in the organisation. Seeded first, because emulate lets anyone who sends an unknown
// token act as the first user: a wrong token then gets nowhere instead of getting the owner's rights.
const stranger = 'sasha'

// GitHub's names of the permission levels, as PUT /repos/{repo}/collaborators/{login} takes them.
const collaborators = { olivia: 'push', tara: 'triage', rita: 'pull' }

const colony = { id: 4242, slug: 'colony', installationId: 42420 }
const devBot = { id: 4343, slug: 'dev-bot', installationId: 43430 }

const colonyPermissions = {
  checks: 'read',
  contents: 'read',
  issues: 'write',
  metadata: 'read',
  pull_requests: 'read',
  statuses: 'read',
}
const devBotPermissions = { contents: 'write', issues: 'write', metadata: 'read', pull_requests: 'write' }
const colonyEvents = [
  'check_run',
  'check_suite',
  'installation',
  'installation_repositories',
  'issue_comment',
  'issue_dependencies',
  'issues',
  'label',
  'pull_request',
  'pull_request_review',
  'push',
  'repository',
  'status',
  'sub_issues',
]

let options
try {
  options = readOptions()
} catch (error) {
  process.stderr.write(`${error.message}\n${usage}\n`)
  process.exit(2)
}

// From the start: a parent that ends while the server is still starting must not leave it behind.
const asked = new Promise((done) => {
  process.stdin.once('end', done)
  process.stdin.once('close', done)
  process.once('SIGTERM', done)
  process.once('SIGINT', done)
})
process.stdin.resume()

const key = await colonyKey(options['private-key'])
const emulator = await createEmulator({ service: 'github', port: options.port, seed: seed(key.pem) })
const baseUrl = `http://127.0.0.1:${new URL(emulator.url).port}`

for (const [login, permission] of Object.entries(collaborators)) {
  await call('PUT', `/repos/${repository}/collaborators/${login}`, tokenOf(owner), { permission })
}
const devBotKey = emulator.generatedSecrets.find((s) => s.id === String(devBot.id)).value
const minted = await call(
  'POST',
  `/app/installations/${devBot.installationId}/access_tokens`,
  appToken(devBot.id, devBotKey),
)

process.stdout.write(
  JSON.stringify({
    baseUrl,
    org,
    repository,
    owner,
    stranger,
    app: { ...colony, login: `${colony.slug}[bot]`, privateKeyFile: key.file, webhookUrl: options['webhook-url'] },
    tokens: {
      ...Object.fromEntries(people().map((login) => [login, tokenOf(login)])),
      [`${devBot.slug}[bot]`]: minted.token,
    },
  }) + '\n',
)

await asked
await emulator.close()
await key.remove()
process.exit(0)

function readOptions() {
  const { values } = parseArgs({
    options: {
      port: { type: 'string', default: '0' },
      'private-key': { type: 'string' },
      'webhook-url': { type: 'string' },
      'webhook-secret': { type: 'string' },
    },
  })
  if (!/^\d{1,5}$/.test(values.port) || Number(values.port) > 65535) {
    throw new Error(`--port ${values.port}: a number from 0 to 65535 is needed`)
  }
  if (Boolean(values['webhook-url']) !== Boolean(values['webhook-secret'])) {
    throw new Error('--webhook-url and --webhook-secret belong together')
  }
  return { ...values, port: Number(values.port) }
}

async function colonyKey(file) {
  if (file) {
    return { file: resolve(file), pem: await readFile(file, 'utf8'), remove: async () => {} }
  }
  const folder = await mkdtemp(join(tmpdir(), 'colony-emulate-'))
  const made = join(folder, 'colony.private-key.pem')
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const pem = privateKey.export({ type: 'pkcs1', format: 'pem' })
  await writeFile(made, pem, { mode: 0o600 })
  return { file: made, pem, remove: () => rm(folder, { recursive: true, force: true }) }
}

function seed(colonyPem) {
  return {
    tokens: Object.fromEntries(people().map((login) => [tokenOf(login), { login, scopes: ['repo'] }])),
    github: {
      users: people().map((login) => ({ login })),
      orgs: [{ login: org, members: [{ login: owner, role: 'admin' }] }],
      // Private: only there does emulate check what an App may read.
      repos: [{ owner: org, name: repository.split('/')[1], private: true }],
      apps: [
        {
          app_id: colony.id,
          slug: colony.slug,
          name: 'Colony',
          private_key: colonyPem,
          permissions: colonyPermissions,
          events: colonyEvents,
          webhook_url: options['webhook-url'],
          webhook_secret: options['webhook-secret'],
          installations: [{ installation_id: colony.installationId, account: org, repository_selection: 'all' }],
        },
        {
          app_id: devBot.id,
          slug: devBot.slug,
          name: 'Dev Bot',
          permissions: devBotPermissions,
          installations: [{ installation_id: devBot.installationId, account: org, repository_selection: 'all' }],
        },
      ],
    },
  }
}

function people() {
  return [stranger, owner, ...Object.keys(collaborators)]
}

function tokenOf(login) {
  return `emulate-token-of-${login}`
}

// https://docs.github.com/en/apps/creating-github-apps/authenticating-with-a-github-app/generating-a-json-web-token-jwt-for-a-github-app
function appToken(appId, pem) {
  const now = Math.floor(Date.now() / 1000)
  const part = (value) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const signed = `${part({ alg: 'RS256', typ: 'JWT' })}.${part({ iat: now - 60, exp: now + 300, iss: String(appId) })}`
  return `${signed}.${createSign('RSA-SHA256').update(signed).sign(pem, 'base64url')}`
}

async function call(method, path, token, body) {
  const response = await fetch(baseUrl + path, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: body ? JSON.stringify(body) : undefined,
  })
  if (!response.ok) {
    throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
  }
  return response.json()
}
