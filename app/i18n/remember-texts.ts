/** A page has about a hundred texts, and only those with names or amounts vary. */
const MAX_REMEMBERED = 1_000

type Gaps = Readonly<Record<string, unknown>>

/** Keeps the last texts by their key and what fills their gaps: i18next looks each up, and replaces its gaps, anew. */
export function rememberTexts<Key extends string, Filling extends Gaps>(
  write: (key: Key, gaps?: Filling) => string,
): (key: Key, gaps?: Filling) => string {
  const known = new Map<string, string>()
  return (key, gaps) => {
    const name = gaps ? `${key} ${JSON.stringify(gaps)}` : key
    const text = known.get(name) ?? write(key, gaps)
    if (known.size >= MAX_REMEMBERED) known.clear()
    known.set(name, text)
    return text
  }
}
