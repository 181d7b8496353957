import { readFileSync } from "node:fs"
import { runInNewContext } from "node:vm"
import fc from "fast-check"
import ts from "typescript"
import { sourceFiles } from "./source-modules"

type Found = { readonly where: string; readonly expression: RegExp }

/** All regular expression literals in app/, tests excluded. */
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
/** Suffixes: none, and characters that most expressions do not match. */
const ends = ["", "\u0001", "@", " "]

/**
 * Texts that cause backtracking in an expression: prefixes of matching texts, a part of which is repeated up to
 * `length`, with a suffix that prevents a match. Repeats of general characters cover expressions that fast-check cannot
 * sample.
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

/** The characters from which fast-check generates matching texts: printable ASCII. */
const printable = String.fromCharCode(...Array.from({ length: 95 }, (_, at) => 32 + at))

/**
 * Whether fast-check can sample an expression. It loops forever on a class that excludes all printable characters, such
 * as `[^\x20-\x7e]`.
 */
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
    // fast-check does not support lookahead and lookbehind assertions.
    return []
  }
}

/** Whether an expression tests all these texts within `ms` milliseconds of CPU time. Aborts after ten times as long. */
function areReadWithin(ms: number, { source, flags }: RegExp, texts: readonly string[]): boolean {
  const read = "for (const text of texts) new RegExp(source, flags).test(text)"
  const before = process.threadCpuUsage()
  try {
    runInNewContext(read, { source, flags, texts }, { timeout: Math.ceil(10 * ms) })
    // CPU time of the thread: other processes on the machine delay the wall clock.
    const { user, system } = process.threadCpuUsage(before)
    return user + system <= ms * 1_000
  } catch {
    return false
  }
}

/** Characters. Longer than all headers of a request together. */
const LONG = 20_000
/**
 * Milliseconds for all texts of an expression. An expression with catastrophic backtracking takes seconds for each
 * text.
 */
const IN_TIME = 1_000
const TRIES = 3

/** Maximum lengths of texts that do not come from an anonymous client, or whose length is already checked. */
const longest: Readonly<Record<string, number>> = {
  // Set by the operator, or configured in WHMCS.
  "app/config/fields.server.ts: /\\/+$/": 2_000,
  "app/gateways/offshore/link.server.ts: /\\/+$/": 2_000,
  "app/provisioning/webhook/xtream-url.ts: /\\/+$/": 2_000,
  "app/billing/external/whmcs/services/service-mapping.ts: /\\/+$/": 2_000,
  // Text from the external billing API.
  "app/billing/external/remote/api-client.server.ts: /\\S*[^\\sA-Za-z.,'\"!?-]\\S*/g": 1_000,
  // Limited by EMAIL_LENGTH.
  "app/domain/customers/email.ts: /^[^\\s@]+@[^\\s@]+\\.[^\\s@]+$/": 254,
  // Digits of a number, or an amount of at most 16 characters.
  "app/domain/money/decimal.ts: /0+$/": 28,
  "app/billing-api/handlers/same-amount.ts: /0+$/": 16,
}

/**
 * Expressions that exceed the time limit for hostile texts, and the number of texts tried.
 * With `every` = n, tries one in n texts in 1/n of the time.
 */
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
