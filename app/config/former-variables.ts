/** Former names of environment variables, accepted until the next release, and the names that replace them. */
export const formerVariables = {
  NEIGHBOUR_TIMEOUT_MS: "UPSTREAM_TIMEOUT_MS",
  MOST_AT_ONCE: "MAX_CONCURRENT_REQUESTS",
  OFFSHORE_PAY_ORIGIN: "OFFSHORE_CHECKOUT_ORIGIN",
  CRYPTOMUS_PAY_ORIGIN: "CRYPTOMUS_CHECKOUT_ORIGIN",
  BILLING_PAY_ORIGINS: "BILLING_CHECKOUT_ORIGINS",
  BILLING_MAPS: "BILLING_MAP_ENCODING",
  GATEWAYS_DRAIN: "DRAINED_GATEWAYS",
  FALLBACK_ADDRESS: "FALLBACK_CLIENT_IP",
  RESELLER_CREDITS: "RESELLER_PLAN_CREDITS",
  CHANNELS_FILE: "PLAYLIST_TEMPLATE_FILE",
  WHMCS_PUSH_MAC: "WHMCS_MAC_UPDATE_COMMAND",
  WHMCS_RESTART: "WHMCS_RESTART_COMMAND",
  WHMCS_COUNT_CLICKS: "WHMCS_TRACK_AFFILIATE_CLICKS",
} as const

type Environment = Readonly<Record<string, string | undefined>>

export type RenamedVariable = { readonly variable: string; readonly replacement: string }

/** Former names that an environment sets. An empty variable counts as not set. */
export function formerVariablesIn(environment: Environment): readonly RenamedVariable[] {
  return Object.entries(formerVariables)
    .filter(([variable]) => environment[variable])
    .map(([variable, replacement]) => ({ variable, replacement }))
}

/** Former names that contradict the names that replace them: both are set, to different values. */
export function contradictingVariables(environment: Environment): readonly RenamedVariable[] {
  return formerVariablesIn(environment).filter(({ variable, replacement }) => {
    const value = environment[replacement]
    return Boolean(value) && value !== environment[variable]
  })
}

/** The environment with every former name replaced. */
export function withCurrentNames(environment: Environment): Environment {
  const renamed = { ...environment }
  for (const { variable, replacement } of formerVariablesIn(environment)) {
    renamed[replacement] = environment[variable]
    delete renamed[variable]
  }
  return renamed
}
