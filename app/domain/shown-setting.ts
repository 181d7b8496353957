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
