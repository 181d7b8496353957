import type { enEn } from "./translations/en-en"

type SameKeys<T> = { readonly [K in keyof T]: T[K] extends string ? string : SameShape<T[K]> }

/** Some languages count in more ways than English: beside every `…_other` there may be a `…_many`. */
type MorePlurals<T> = {
  readonly [K in keyof T as K extends `${infer Key}_other` ? `${Key}_many` : never]?: string
}

type SameShape<T> = SameKeys<T> & MorePlurals<T>

/** What every language must have: a missing or extra key does not compile. */
export type Translation = SameShape<typeof enEn>
