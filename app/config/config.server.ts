import type { z } from "zod"
import { type GatewayId, gatewayIds } from "~/domain/payments/gateway-id"
import { hostInUrl } from "~/http/ip-address.server"
import { type Config, EnvironmentSchema, type Settings } from "./environment.server"
import {
  contradictingVariables,
  formerVariablesIn,
  type RenamedVariable,
  withCurrentNames,
} from "./former-variables"
import { missingSettings } from "./missing-settings.server"

export type Environment = Readonly<Record<string, string | undefined>>

/** Parses the environment, under former names too. Throws an error that names each missing or invalid variable. */
export function readConfig(environment: Environment): Config {
  const settings = readSettings(environment)
  const publicUrl = settings.PUBLIC_URL ?? `http://${hostInUrl(settings.HOST)}:${settings.PORT}`
  const loopback = isLoopback(publicUrl)
  const sandbox = !usesExternalPayments(settings) && wantsSandbox(settings, loopback)
  // The sandbox implements every gateway, so that changing the gateway can be tested too.
  const listed = settings.GATEWAYS ?? (sandbox ? gatewayIds : (["offshore"] as const))
  const PROVISIONER = settings.PROVISIONER ?? (settings.BILLING === "embedded" ? "local" : "billing")
  const DRAINED_GATEWAYS = settings.DRAINED_GATEWAYS ?? []
  const GATEWAYS = listed.filter((id) => !DRAINED_GATEWAYS.includes(id))
  const decided = { GATEWAYS, DRAINED_GATEWAYS, PROVISIONER, PUBLIC_URL: publicUrl, loopback, sandbox }
  return complete({ ...settings, ...decided })
}

function readSettings(environment: Environment): Settings {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value?.trim() !== ""))
  const contradictions = contradictingVariables(given)
  if (contradictions.length > 0) throw invalid(contradictions.map(contradiction))
  const parsed = EnvironmentSchema.safeParse(withCurrentNames(given), { error: requirementOf })
  if (!parsed.success) throw invalid(errorsOf(parsed.error, given))
  return parsed.data
}

function wantsSandbox(settings: Settings, loopback: boolean): boolean {
  return settings.SANDBOX === "on" || (settings.SANDBOX === "auto" && loopback && !namesGateway(settings))
}

/** Payments are made at the external billing's gateways: this shop has none of its own. */
function usesExternalPayments({ BILLING }: Pick<Config, "BILLING">): boolean {
  return BILLING === "remote"
}

/** Whether the billing API is served. With `remote` the key is one that we send, not one that we accept. */
export function servesApi({
  BILLING,
  BILLING_API_KEY,
}: Pick<Config, "BILLING" | "BILLING_API_KEY">): boolean {
  return BILLING_API_KEY !== undefined && BILLING !== "remote"
}

/** All gateways in use, including drained ones. */
export function openIn({ GATEWAYS, DRAINED_GATEWAYS }: Config): readonly GatewayId[] {
  return [...GATEWAYS, ...DRAINED_GATEWAYS]
}

/** A configured real gateway switches the sandbox's default off. */
function namesGateway(settings: Settings): boolean {
  const { OFFSHORE_URL, COINBASE_KEY_ID, CRYPTOMUS_MERCHANT, BTCPAY_URL } = settings
  return [OFFSHORE_URL, COINBASE_KEY_ID, CRYPTOMUS_MERCHANT, BTCPAY_URL].some((it) => it !== undefined)
}

export class InvalidConfigError extends Error {
  override name = "InvalidConfigError"
}

function complete(config: Config): Config {
  const missing = missingSettings(config)
  if (missing.length === 0) return config
  throw new InvalidConfigError(
    `Missing settings for ${config.PUBLIC_URL}:\n${missing.map((it) => `  ${it}`).join("\n")}`,
  )
}

function invalid(errors: readonly string[]): InvalidConfigError {
  return new InvalidConfigError(`Invalid environment:\n${errors.map((it) => `  ${it}`).join("\n")}`)
}

function contradiction({ variable, replacement }: RenamedVariable): string {
  return `${variable} and ${replacement} are set to different values; ${variable} was renamed, so set ${replacement} only`
}

function errorsOf(error: z.ZodError, given: Environment): string[] {
  const former = new Map(formerVariablesIn(given).map((it) => [it.replacement, it.variable]))
  return error.issues.map(({ path: [name, ...rest], message }) => {
    const setAs = former.get(String(name))
    const variable = [String(name), ...rest.map(String)].join(".")
    return `${variable}${setAs === undefined ? "" : ` (set as ${setAs})`}: ${message}`
  })
}

type RawIssue = Parameters<z.core.$ZodErrorMap>[0]

/** What a value has to be, where its field does not say it in its own words. Undefined: the library's words. */
function requirementOf(issue: RawIssue): string | undefined {
  if (issue.code === "invalid_value") return `must be one of ${issue.values.join(", ")}`
  if (issue.code === "invalid_format" && issue.format === "url")
    return "must be a URL, like https://shop.example"
  if (issue.code === "invalid_type") return numberOf(issue.expected)
  return limitOf(issue)
}

function numberOf(expected: string): string | undefined {
  if (expected === "int") return "must be a whole number"
  return expected === "number" ? "must be a number in digits, without a unit" : undefined
}

function limitOf(issue: RawIssue): string | undefined {
  if (issue.code === "too_small")
    return issue.origin === "array" ? "must have at least one value" : `must be at least ${issue.minimum}`
  if (issue.code !== "too_big") return undefined
  return issue.origin === "string"
    ? `must have at most ${issue.maximum} characters`
    : `must be at most ${issue.maximum}`
}

function isLoopback(url: string): boolean {
  const { hostname } = new URL(url)
  return hostname === "localhost" || hostname === "[::1]" || hostname.startsWith("127.")
}
