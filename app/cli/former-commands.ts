/** Former names of commands, accepted until the next release, and the names that replace them. */
export const formerCommands: Readonly<Record<string, string>> = {
  ask: "poll",
  resend: "resend-callback",
  paid: "mark-paid",
  link: "sign-in-link",
  password: "set-password",
  credit: "grant-credits",
}

/** Former names of options, for every command that has the option. */
export const formerOptions: Readonly<Record<string, string>> = {
  most: "limit",
  serviceid: "service-id",
  expires: "expires-in",
}

/** Former name of the whole command line: `node build/server/index.js books`. */
export const FORMER_PROGRAM = "books"
export const PROGRAM = "admin"

/** The name that replaces a former one; any other name stays. */
export function currentName(names: Readonly<Record<string, string>>, name: string): string {
  return Object.hasOwn(names, name) ? (names[name] ?? name) : name
}

export function renameNotice(former: string, name: string): string {
  return `${former} was renamed to ${name}; the former name works until the next release.`
}
