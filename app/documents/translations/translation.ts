import type { enEn } from "./en-en"

type Words<T> = { readonly [K in keyof T]: T[K] extends string ? string : Words<T[K]> }

/** The words of tax documents in a language. */
export type DocumentTranslation = Words<typeof enEn>
