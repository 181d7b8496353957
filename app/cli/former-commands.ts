/** Former names of commands, accepted until the next release, and the names that replace them. */
export const formerCommands: Readonly<Record<string, string>> = {
  order: "orders show",
  poll: "orders poll",
  ask: "orders poll",
  "mark-paid": "orders mark-paid",
  paid: "orders mark-paid",
  cancel: "orders cancel",
  "resend-callback": "orders resend-callback",
  resend: "orders resend-callback",
  "test-callback": "gateways test-callback",
  "sign-in-link": "customers sign-in-link",
  link: "customers sign-in-link",
  "set-password": "customers set-password",
  password: "customers set-password",
  export: "customers export",
  erase: "customers erase",
  "grant-credits": "resellers grant-credits",
  credit: "resellers grant-credits",
  block: "blocks add",
  unblock: "blocks remove",
  restore: "backup restore",
}

/** Nouns that were commands of their own. They still are, without one of their verbs behind them. */
export const formerNouns: Readonly<Record<string, string>> = {
  orders: "orders list",
  jobs: "jobs list",
  resellers: "resellers list",
  affiliates: "affiliates list",
  blocks: "blocks list",
  gateways: "gateways check",
  backup: "backup create",
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
