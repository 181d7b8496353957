import type { z } from "zod"
import { type GatewayId, gatewayIds } from "~/domain/gateway-id"
import { type Config, EnvironmentSchema, type Settings } from "./environment.server"
import { missingSettings } from "./missing-settings.server"

export type Environment = Readonly<Record<string, string | undefined>>

/** Reads the environment once. Throws an error in words that names each variable that is missing or wrong. */
export function readConfig(environment: Environment): Config {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ""))
  const parsed = EnvironmentSchema.safeParse(given)
  if (!parsed.success) throw new UnusableEnvironment(wordsFor(parsed.error))
  const settings = parsed.data
  const publicUrl = settings.PUBLIC_URL ?? `http://${hostInUrl(settings.HOST)}:${settings.PORT}`
  const loopback = isLoopback(publicUrl)
  const sandbox = !paysElsewhere(settings) && wantsSandbox(settings, loopback)
  // The sandbox speaks for every gateway, so that changing one's mind can be tried out too.
  const listed = settings.GATEWAYS ?? (sandbox ? gatewayIds : (["offshore"] as const))
  const PROVISIONER = settings.PROVISIONER ?? (settings.BILLING === "embedded" ? "local" : "billing")
  const GATEWAYS_DRAIN = settings.GATEWAYS_DRAIN ?? []
  const GATEWAYS = listed.filter((id) => !GATEWAYS_DRAIN.includes(id))
  const decided = { GATEWAYS, GATEWAYS_DRAIN, PROVISIONER, PUBLIC_URL: publicUrl, loopback, sandbox }
  return complete({ ...settings, ...decided })
}

function wantsSandbox(settings: Settings, loopback: boolean): boolean {
  return settings.SANDBOX === "on" || (settings.SANDBOX === "auto" && loopback && !namesGateway(settings))
}

/** The money is taken by the books' own gateways: this shop has none. */
export function paysElsewhere({ BILLING }: Pick<Config, "BILLING">): boolean {
  return BILLING === "remote"
}

/** Every gateway that is spoken with, offered or not. */
export function openIn({ GATEWAYS, GATEWAYS_DRAIN }: Config): readonly GatewayId[] {
  return [...GATEWAYS, ...GATEWAYS_DRAIN]
}

/** Whoever has set up a real gateway does not want the sandbox beside it. */
function namesGateway(settings: Settings): boolean {
  const { OFFSHORE_URL, COINBASE_KEY_ID, CRYPTOMUS_MERCHANT, BTCPAY_URL } = settings
  return [OFFSHORE_URL, COINBASE_KEY_ID, CRYPTOMUS_MERCHANT, BTCPAY_URL].some((it) => it !== undefined)
}

export class UnusableEnvironment extends Error {
  override name = "UnusableEnvironment"
}

function complete(config: Config): Config {
  const missing = missingSettings(config)
  if (missing.length === 0) return config
  throw new UnusableEnvironment(
    `A shop at ${config.PUBLIC_URL} needs:\n${missing.map((it) => `  ${it}`).join("\n")}`,
  )
}

function wordsFor(error: z.ZodError): string {
  const lines = error.issues.map((issue) => `  ${issue.path.join(".")}: ${issue.message}`)
  return `The environment is not usable:\n${lines.join("\n")}`
}

function isLoopback(url: string): boolean {
  const { hostname } = new URL(url)
  return hostname === "localhost" || hostname === "[::1]" || hostname.startsWith("127.")
}

/** Where this machine reaches a server that listens on a host. */
export function hostInUrl(host: string): string {
  if (host === "0.0.0.0" || host === "::") return "127.0.0.1"
  return host.includes(":") ? `[${host}]` : host
}
