/** A JSON string, with the colon after it if it is a member name; or a bracket of an object or array. */
const TOKEN = /("(?:[^"\\]|\\.)*")(\s*:)?|[{}[\]]/g

/** Maximum nesting depth: far deeper than any message, far below the recursion limit of a re-serialization. */
const DEEPEST = 32

/**
 * Parses a message whose meaning must not depend on the parser: UTF-8 without a byte order mark, at most 32 levels, and
 * no duplicate member names, of which parsers use either the first or the last. Throws an `Error` with the reason.
 */
export function strictJson(message: Buffer | string): unknown {
  const text = typeof message === "string" ? message : strictUtf8(message)
  const value = parsed(text)
  const flaw = flawOf(text)
  if (flaw) throw new Error(flaw)
  return value
}

/** Decodes UTF-8 and preserves a byte order mark, because signatures cover it. Throws an `Error` with the reason. */
export function strictUtf8(bytes: Buffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (cause) {
    throw new Error("not UTF-8", { cause })
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new Error("not JSON", { cause })
  }
}

/** Null: valid JSON without a duplicate member name or excessive nesting. */
function flawOf(json: string): string | null {
  const open: Set<string>[] = []
  for (const [token, text, colon] of json.matchAll(TOKEN)) {
    if (text === undefined) follow(open, token)
    else if (colon !== undefined && !isFirst(open.at(-1), JSON.parse(text))) return "duplicate member name"
    if (open.length > DEEPEST) return "nested too deeply"
  }
  return null
}

function follow(open: Set<string>[], bracket: string): void {
  if (bracket === "{" || bracket === "[") open.push(new Set())
  else open.pop()
}

function isFirst(names: Set<string> | undefined, name: string): boolean {
  const before = names?.size
  return names?.add(name).size !== before
}
