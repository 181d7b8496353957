/**
 * Keeps what `create` makes of a key, for `Intl`: creating a formatter costs a hundred times as much as using it, and formatting a
 * range as much as a database query. Only for keys that are few, such as languages: nothing is forgotten.
 */
export function cachedByKey<Value>(create: (key: string) => Value): (key: string) => Value {
  const known = new Map<string, Value>()
  return (key) => {
    const value = known.get(key) ?? create(key)
    known.set(key, value)
    return value
  }
}
