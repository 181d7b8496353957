/** Where the value of a setting comes from. */
export const settingSources = [
  "environment",
  /** The file `.env`, which `npm start` reads. */
  "settings-file",
  /** The environment, under the name that this one replaces. */
  "former-name",
  "default",
] as const
export type SettingSource = (typeof settingSources)[number]

/** A setting as operators see it. */
export type ShownSetting = {
  readonly name: string
  /** What it sets, in a sentence. */
  readonly about: string
  /** Null if it is not set, or a secret. Addresses are without user, password and query. */
  readonly value: string | null
  readonly isSet: boolean
  readonly isSecret: boolean
  readonly source: SettingSource
  /** What holds without it; null: nothing, or it is computed. */
  readonly usual: string | null
  /** A restart would change it: the file that it is in, or that it names, has changed since the start. */
  readonly isStale: boolean
}

/** A value of the shop file as operators see it. */
export type ShownShopValue = {
  /** Its place in the file, such as "links.support". */
  readonly place: string
  /** Null: there is none. Addresses are without user, password and query. */
  readonly value: string | null
  /** `default`: the file does not name it. */
  readonly source: "shop-file" | "default"
  /** A restart would change it to this; absent: it stays. Null: it would be none. */
  readonly next?: string | null
}

export type ShownShopFile = {
  /** Those of the file that the shop has started with, then those that a restart would add. */
  readonly values: readonly ShownShopValue[]
  /** What is wrong with the file as it is now: the shop would not start with it; null: nothing. */
  readonly problem: string | null
}
