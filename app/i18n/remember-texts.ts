/** A page has about a hundred texts; those with an order's number or an amount are of one order. */
const MAX_REMEMBERED = 300

type Gaps = Readonly<Record<string, unknown>>

/**
 * Keeps texts by their key and what fills their gaps: i18next looks each up, and fills it, anew. They all go when there are too many: to
 * move each text behind the others when it is used makes V8 copy the map again and again. Without `lru-cache`, which would be a part
 * of the browser's script too.
 */
export function rememberTexts<Key extends string, Filling extends Gaps>(
  write: (key: Key, gaps?: Filling) => string,
): (key: Key, gaps?: Filling) => string {
  const known = new Map<string, string>()
  return (key, gaps) => {
    const name = gaps ? `${key} ${JSON.stringify(gaps)}` : key
    const before = known.get(name)
    if (before !== undefined) return before
    const text = write(key, gaps)
    if (known.size === MAX_REMEMBERED) known.clear()
    known.set(name, text)
    return text
  }
}
