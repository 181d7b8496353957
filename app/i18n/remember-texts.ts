/** A page has about a hundred texts; those with an order's number or an amount are of one order. */
const MAX_REMEMBERED = 300

type Gaps = Readonly<Record<string, unknown>>

/**
 * Keeps the texts that were used last by their key and what fills their gaps: i18next looks each up, and fills it, anew. Without
 * `lru-cache`, which would be a part of the browser's script too.
 */
export function rememberTexts<Key extends string, Filling extends Gaps>(
  write: (key: Key, gaps?: Filling) => string,
): (key: Key, gaps?: Filling) => string {
  const known = new Map<string, string>()
  return (key, gaps) => {
    const name = gaps ? `${key} ${JSON.stringify(gaps)}` : key
    const text = known.get(name) ?? write(key, gaps)
    // A map lists its keys in the order of their entry: the first is the one that was not used for longest.
    known.delete(name)
    known.set(name, text)
    const [oldest] = known.keys()
    if (oldest !== undefined && known.size > MAX_REMEMBERED) known.delete(oldest)
    return text
  }
}
