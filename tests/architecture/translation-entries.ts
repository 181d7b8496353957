type Texts = { readonly [key: string]: string | Texts }

/** The texts of a catalogue by their full keys, such as "checkout.plan.heading". */
export function textsOf(texts: Texts, path = ""): Map<string, string> {
  const entries = Object.entries(texts).flatMap(([key, text]): [string, string][] =>
    typeof text === "string" ? [[path + key, text]] : [...textsOf(text, `${path}${key}.`)],
  )
  return new Map(entries)
}

export function keysOf(texts: Texts): string[] {
  return [...textsOf(texts).keys()]
}
