/** Characters per piece; processing one takes a millisecond or two. */
const PIECE = 250_000

/** Splits a long text at line ends, so that processing can yield to the event loop in between. */
export function* textParts(text: string): Generator<string> {
  for (let start = 0; start < text.length; ) {
    const lineBreak = text.indexOf("\n", start + PIECE)
    const end = lineBreak === -1 ? text.length : lineBreak + 1
    yield text.slice(start, end)
    start = end
  }
}
