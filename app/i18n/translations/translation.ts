import type { enEn } from "./en-en"

type SameKeys<T> = { readonly [K in keyof T]: T[K] extends string ? string : SameShape<T[K]> }

/** Some languages have more plural forms than English: each `…_other` may have a `…_many`. */
type MorePlurals<T> = {
  readonly [K in keyof T as K extends `${infer Key}_other` ? `${Key}_many` : never]?: string
}

/** The shape of a catalogue, for its translations. */
export type SameShape<T> = SameKeys<T> & MorePlurals<T>

/** Shape of every catalogue: a missing or extra key does not compile. */
export type Translation = SameShape<typeof enEn>
