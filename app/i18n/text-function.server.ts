import { createInstance } from "i18next"
import { defaultLocale, type LocaleCode, localeOfCode } from "~/domain/locales"
import { rememberTexts } from "./remember-texts"

/** Full keys of a catalogue, without the endings of plural forms. */
export type KeyOf<T> = {
  [K in keyof T & string]: T[K] extends string
    ? K extends `${infer Counted}_${"one" | "other"}`
      ? Counted
      : K
    : `${K}.${KeyOf<T[K]>}`
}[keyof T & string]

/** A text by its key, with its placeholders filled in; `count` selects the plural form. */
export type TextFunction<Key extends string> = (key: Key, gaps?: Gaps) => string

type Gaps = Readonly<Record<string, string | number>>

/**
 * The texts of a catalogue that the server alone renders: of messages, of the console, and of the pages that get them ready from
 * their loaders. The browser's file of a language is loaded with the checkout, and these stay out of it.
 */
export function textFunction<Key extends string>(translation: object, iso: string): TextFunction<Key> {
  const instance = createInstance({
    lng: iso,
    fallbackLng: false,
    initAsync: false,
    resources: { [iso]: { translation } },
    // React escapes what it renders; the text of a message needs no escaping.
    interpolation: { escapeValue: false },
  })
  void instance.init()
  // The keys that i18next knows by type are those of the pages.
  return rememberTexts((key, gaps) => instance.t(key as "frame.skip", gaps))
}

/** The same for a catalogue in each language. */
export function textsByLanguage<Key extends string>(
  catalogues: Readonly<Record<LocaleCode, object>>,
): (code: LocaleCode) => TextFunction<Key> {
  const made = new Map<LocaleCode, TextFunction<Key>>()
  return (code) => {
    const known = made.get(code)
    if (known) return known
    const texts = textFunction<Key>(catalogues[code], (localeOfCode(code) ?? defaultLocale).iso)
    made.set(code, texts)
    return texts
  }
}
