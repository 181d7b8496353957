import { z } from "zod"
import { type GatewayId, gatewayIds, isGatewayId } from "~/domain/payments/gateway-id"

export const Port = z.coerce.number().int().min(0).max(65_535)
export const List = z.string().transform((list) =>
  list
    .split(",")
    .map((it) => it.trim())
    .filter(Boolean),
)
/** Secrets that verify callbacks: without any, each callback would be rejected. */
export const Secrets = List.pipe(z.array(z.string()).nonempty())
/** A secret of Standard Webhooks: other base64 than whole groups of four characters is no key. */
export const SigningSecret = z
  .string()
  .regex(
    /^(whsec_)?(?!$)([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/,
    "must be whsec_ and base64, as the other side shows it",
  )
/** "btcpay:0.5,cryptomusgateway:1": percent of a total by gateway, parsed to basis points. */
export const Tolerance = z.string().transform((list, context) => {
  const parts = list.split(",").map((it) => /^\s*(\w+):(\d{1,2})(?:\.(\d{1,2}))?\s*$/.exec(it))
  const known = parts.filter((it) => it !== null && isGatewayId(it[1]))
  if (known.length < parts.length) {
    context.addIssue({ code: "custom", message: "must be like btcpay:0.5,coinbase:1 (percent by gateway)" })
  }
  return Object.fromEntries(
    known.map((it) => [it?.[1], Number(it?.[2]) * 100 + Number((it?.[3] ?? "").padEnd(2, "0"))]),
  ) as Partial<Record<GatewayId, number>>
})
/** Payment modules, joined by hyphens (specification, Constants). */
export const Gateways = z
  .string()
  .transform((list) => list.split("-"))
  .pipe(
    z.array(z.enum(gatewayIds, `must be names joined by hyphens, of ${gatewayIds.join(", ")}`)).nonempty(),
  )
/** Where a server listens: not a URL. */
export const Host = z
  .string()
  .regex(/^[\w.:-]+$/, "must be an address or the name of a host, like 127.0.0.1, 0.0.0.0 or ::")
export const Switch = z.enum(["on", "off"])
export const Origin = z.url({ protocol: /^https?$/ }).transform((url) => url.replace(/\/+$/, ""))
/** An address under which the pages are at a path of their own. */
export const BareOrigin = Origin.refine((url) => {
  const { pathname, search, hash } = new URL(url)
  return pathname === "/" && search === "" && hash === ""
}, "must be scheme, host and port alone, like https://shop.example: the pages are below it at /checkout/")
export const TimeZone = z.string().refine(isTimeZone, "must be a time zone, for example Europe/Madrid")

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name })
    return true
  } catch {
    return false
  }
}
