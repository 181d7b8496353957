export type NameSearch = {
  readonly limit: number
  /** The beginning of an e-mail finds nothing: letter by letter it would spell out what is masked. */
  readonly wholeEmails?: boolean
}
