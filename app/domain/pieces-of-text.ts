/** Characters. What is done with as many takes a millisecond or two. */
const PIECE = 250_000

/** A long text in pieces that end with a line, so that whoever works on it can let others have their turn in between. */
export function* piecesOf(text: string): Generator<string> {
  for (let start = 0; start < text.length; ) {
    const lineBreak = text.indexOf("\n", start + PIECE)
    const end = lineBreak === -1 ? text.length : lineBreak + 1
    yield text.slice(start, end)
    start = end
  }
}
