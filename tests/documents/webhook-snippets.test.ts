import { spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { Webhook } from "standardwebhooks"
import { expect, test } from "vitest"

const page = readFileSync("docs/webhooks.md", "utf8")

/** How each language of the page runs: its snippet, then the cases as JSON on standard input, then the results as JSON. */
const interpreters = {
  js: {
    command: process.execPath,
    run: (snippet: string) => [
      "--input-type=module",
      "--eval",
      `${snippet}
import { readFileSync } from "node:fs"
const results = JSON.parse(readFileSync(0, "utf8")).map(({ secret, headers, body }) => {
  try { return verified(secret, headers, body).type } catch { return null }
})
console.log(JSON.stringify(results))`,
    ],
  },
  python: {
    command: "python3",
    run: (snippet: string) => [
      "-c",
      `${snippet}
import sys
results = []
for case in json.load(sys.stdin):
    try:
        results.append(verified(case["secret"], case["headers"], case["body"].encode())["type"])
    except ValueError:
        results.append(None)
print(json.dumps(results))`,
    ],
  },
  php: {
    command: "php",
    run: (snippet: string) => [
      "-r",
      `${snippet}
$results = [];
foreach (json_decode(file_get_contents("php://stdin"), true) as $case) {
    try { $results[] = verified($case["secret"], $case["headers"], $case["body"])["type"]; }
    catch (RuntimeException) { $results[] = null; }
}
echo json_encode($results);`,
    ],
  },
} as const
type Language = keyof typeof interpreters

function snippetIn(language: Language): string {
  const [, found] = new RegExp(`\`\`\`${language}\\n([^\`]*)\`\`\``).exec(page) ?? []
  if (found === undefined) throw new Error(`The page has no snippet in ${language}`)
  return found
}

const secret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`
const other = `whsec_${Buffer.alloc(32, 8).toString("base64")}`
const body = '{"type":"order.paid","data":{"name":"Zoë"}}'

/** A message of some minutes ago, signed by these secrets as the shop signs. A snippet takes it for five minutes. */
function message(secrets: readonly string[], minutesAgo = 0) {
  const at = new Date(Date.now() - minutesAgo * 60_000)
  const headers = {
    "webhook-id": "evt_1",
    "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
    "webhook-signature": secrets.map((it) => new Webhook(it).sign("evt_1", at, body)).join(" "),
  }
  return { secret, headers, body }
}

/** Milliseconds, for a busy machine on which an interpreter starts slowly: less than the five minutes that a message is taken. */
const TIMEOUT = 240_000

/** Made for each interpreter: the time that the one before has taken is not theirs. The one of later is refused however long its interpreter takes. */
function messages() {
  const right = message([secret])
  return [
    ["its signature is right", right, true],
    ["the former secret signs too", message([other, secret]), true],
    ["another secret has signed it", message([other]), false],
    ["its body was changed", { ...right, body: body.replace("paid", "held") }, false],
    ["its id was changed", { ...right, headers: { ...right.headers, "webhook-id": "evt_2" } }, false],
    ["it is six minutes old", message([secret], 6), false],
    ["it is of ten minutes later", message([secret], -10), false],
    ["it has no signature", { ...right, headers: { ...right.headers, "webhook-signature": "" } }, false],
  ] as const
}

for (const language of Object.keys(interpreters) as Language[]) {
  const { command, run } = interpreters[language]
  test(`the snippet of docs/webhooks.md in ${language} takes an event whose signature is right, and refuses a wrong, changed or old one`, {
    timeout: TIMEOUT,
  }, ({ skip }) => {
    const isThere = spawnSync(command, ["--version"]).status === 0
    if (!isThere) skip(`${command} is not installed`)
    const cases = messages()
    const input = JSON.stringify(cases.map(([, it]) => it))
    const { stdout, stderr } = spawnSync(command, run(snippetIn(language)), {
      input,
      encoding: "utf8",
      // Of a locale that the machine does not have, such as one that came with an SSH session, a program warns.
      env: { ...process.env, LC_ALL: "C" },
    })
    expect(stderr).toBe("")
    const results: unknown[] = JSON.parse(stdout)
    expect(cases.map(([name], index) => [name, results[index] === "order.paid"])).toEqual(
      cases.map(([name, , isTaken]) => [name, isTaken]),
    )
  })
}
