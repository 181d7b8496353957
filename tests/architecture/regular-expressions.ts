import { readFileSync } from "node:fs"
import { runInNewContext } from "node:vm"
import fc from "fast-check"
import ts from "typescript"
import { sourceFiles } from "./source-modules"

type Found = { readonly where: string; readonly expression: RegExp }

/** Every regular expression that is written in the app, tests left out. */
function regularExpressions(): Found[] {
  const files = sourceFiles("app").filter((file) => !/\.test\.tsx?$|\.d\.ts$/.test(file))
  return files.flatMap((file) => {
    const source = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest, true)
    return literalsIn(source).map((text) => ({ where: `${file}: ${text}`, expression: literal(text) }))
  })
}

function literalsIn(node: ts.Node): string[] {
  if (ts.isRegularExpressionLiteral(node)) return [node.text]
  const found: string[] = []
  ts.forEachChild(node, (child) => void found.push(...literalsIn(child)))
  return found
}

function literal(text: string): RegExp {
  const end = text.lastIndexOf("/")
  return new RegExp(text.slice(1, end), text.slice(end + 1))
}

const pumps = [
  "a",
  "1",
  " ",
  "-",
  ".",
  "/",
  ",",
  "=",
  "\n",
  "\\",
  '"',
  "a@",
  "a.",
  "=&",
  "&#",
  "<a",
  "::",
  "a b",
]
const MAX_SAMPLE = 14
/** What comes after: nothing, and what is no part of most that is looked for. */
const ends = ["", "\u0001", "@", " "]

/**
 * Texts that are hard on an expression: beginnings of texts that match it, in which a piece is repeated without end
 * and that do not match after all. What cannot be told from the expression is tried with pieces of any text.
 */
function hostileTo(expression: RegExp, length: number): string[] {
  const pumped = (start: string, pump: string) =>
    ends.map((end) => start + pump.repeat(Math.ceil(length / pump.length)) + end)
  const own = samplesOf(expression).flatMap((sample) =>
    [...sample].flatMap((_, at) =>
      [1, 2, 3].flatMap((size) => pumped(sample.slice(0, at), sample.slice(at, at + size))),
    ),
  )
  return [...new Set([...pumps.flatMap((pump) => pumped("", pump)), ...own])]
}

/** All that fast-check builds matching texts of. */
const printable = String.fromCharCode(...Array.from({ length: 95 }, (_, at) => 32 + at))

/** fast-check looks without end for a printable character in a class that excludes them all, such as `[^\x20-\x7e]`. */
function canBeSampled({ source, flags }: RegExp): boolean {
  const excluding = source.match(/\[\^(?:\\.|[^\]\\])*\]/g) ?? []
  return excluding.every((characters) => new RegExp(characters, flags.replace("g", "")).test(printable))
}

function samplesOf(expression: RegExp): string[] {
  if (!canBeSampled(expression)) return []
  const { source, flags } = expression
  try {
    const matching = fc.stringMatching(new RegExp(source, flags.replace(/[^u]/g, "")))
    return fc.sample(matching, { seed: 8, numRuns: 2 }).map((text) => text.slice(0, MAX_SAMPLE))
  } catch {
    // It looks ahead or behind, which cannot be turned round.
    return []
  }
}

/** Whether an expression has read all these texts in time; one that has not is stopped. */
function areReadWithin(ms: number, { source, flags }: RegExp, texts: readonly string[]): boolean {
  const read = "for (const text of texts) new RegExp(source, flags).test(text)"
  const before = process.threadCpuUsage()
  try {
    runInNewContext(read, { source, flags, texts }, { timeout: Math.ceil(10 * ms) })
    // Not by the clock: whatever else the machine does meanwhile is not the expression's.
    const { user, system } = process.threadCpuUsage(before)
    return user + system <= ms * 1_000
  } catch {
    return false
  }
}

/** Longer than all headers together. */
const LONG = 20_000
/** For hundreds of texts at once; what goes through a text again and again takes seconds for each. */
const IN_TIME = 1_000
const TRIES = 3

/** How long a text can be where it is not read by everybody, or has been measured before. */
const longest: Readonly<Record<string, number>> = {
  // What the operator has set, or has written into WHMCS.
  "app/config/fields.server.ts: /\\/+$/": 2_000,
  "app/gateways/offshore/link.server.ts: /\\/+$/": 2_000,
  "app/provisioning/webhook/xtream-url.ts: /\\/+$/": 2_000,
  "app/billing/external/whmcs/services/service-mapping.ts: /\\/+$/": 2_000,
  // What the books elsewhere say.
  "app/billing/external/remote/api-client.server.ts: /\\S*[^\\sA-Za-z.,'\"!?-]\\S*/g": 1_000,
  // EMAIL_LENGTH.
  "app/domain/email.ts: /^[^\\s@]+@[^\\s@]+\\.[^\\s@]+$/": 254,
  // Digits of a number, or an amount of 16 characters.
  "app/gateways/btcpay/decimal.ts: /0+$/": 200,
  "app/gateways/cryptomus/decimal.ts: /0+$/": 200,
  "app/billing-api/handlers/same-amount.ts: /0+$/": 16,
}

/** Those of which hostile texts take too long, and how many texts were tried: one in `every`, in a share of the time. */
export function slowExpressions(every = 1): { slow: readonly string[]; tried: number } {
  const slow: string[] = []
  let tried = 0
  for (const { where, expression } of regularExpressions()) {
    const texts = hostileTo(expression, longest[where] ?? LONG).filter((_, at) => at % every === 0)
    tried += texts.length
    const attempts = Array.from({ length: TRIES })
    if (!attempts.some(() => areReadWithin(IN_TIME / every, expression, texts))) slow.push(where)
  }
  return { slow, tried }
}
