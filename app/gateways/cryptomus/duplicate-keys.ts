/** A text with the colon that makes it a member's name, if there is one; and what opens or closes an object or list. */
const TOKEN = /("(?:[^"\\]|\\.)*")(\s*:)?|[{}[\]]/g

/** Far more than a callback has; far less than what writing it again by recursion can bear. */
const DEEPEST = 32

/**
 * What makes JSON text unfit to be believed, signed or not; null when nothing does. An object that names a member
 * twice can mean one thing to whoever signed it and another to us: readers differ in which of the two counts. The
 * text must be one that `JSON.parse` takes.
 */
export function findDuplicateKey(json: string): string | null {
  const open: Set<string>[] = []
  for (const [token, text, colon] of json.matchAll(TOKEN)) {
    if (text === undefined) follow(open, token)
    else if (colon !== undefined && !isFirst(open.at(-1), JSON.parse(text))) return "names a member twice"
    if (open.length > DEEPEST) return "too deep"
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
