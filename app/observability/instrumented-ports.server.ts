import type { Recorded, Till } from "~/billing/payment-repository"
import type { GatewayId } from "~/domain/gateway-id"
import { GatewayError, type GuardedGateway, UntrustedCallback } from "~/gateways/gateway"
import type { attemptOutcomes, callbackOutcomes, Meters, newsOutcomes } from "./metric-definitions.server"

type Outcome<T extends readonly string[]> = T[number]

/** A gateway whose openings and callers are counted. */
export function watchedGateway(gateway: GuardedGateway, { attempts, callbacks }: Meters): GuardedGateway {
  const { id } = gateway
  return {
    ...gateway,
    // Some know only later where they lead to.
    get origins() {
      return gateway.origins
    },
    async startPayment(payment) {
      const count = (outcome: Outcome<typeof attemptOutcomes>) => attempts.inc({ gateway: id, outcome })
      try {
        const opened = await gateway.startPayment(payment)
        count("opened")
        return opened
      } catch (error) {
        count(error instanceof GatewayError ? error.kind : "failed")
        throw error
      }
    },
    readCallback(callback) {
      const count = (outcome: Outcome<typeof callbackOutcomes>) => callbacks.inc({ gateway: id, outcome })
      try {
        const said = gateway.readCallback(callback)
        count(kindOf(said))
        return said
      } catch (error) {
        count(failureOf(error))
        throw error
      }
    },
  }
}

function kindOf(said: ReturnType<GuardedGateway["readCallback"]>): Outcome<typeof callbackOutcomes> {
  if (said === null) return "ignored"
  return "askAbout" in said ? "hint" : "update"
}

function failureOf(error: unknown): Outcome<typeof callbackOutcomes> {
  if (error instanceof UntrustedCallback) return "invalid_signature"
  return error instanceof GatewayError ? "unreadable" : "failed"
}

/** A till whose bookings are counted. */
export function watchedTill(till: Till, { news }: Meters): Till {
  return {
    ...till,
    async record(gateway, said, at, tolerance) {
      const recorded = await counted(gateway, till.record(gateway, said, at, tolerance))
      news.inc({ gateway, outcome: outcomeOf(recorded) })
      return recorded
    },
  }

  function counted<T>(gateway: GatewayId, booking: Promise<T>): Promise<T> {
    return booking.catch((error: unknown) => {
      const outcome: Outcome<typeof newsOutcomes> = "failed"
      news.inc({ gateway, outcome })
      throw error
    })
  }
}

/** Label values are written with underscores, as Prometheus writes names. */
function outcomeOf({ kind }: Recorded): Outcome<typeof newsOutcomes> {
  if (kind === "unknown-attempt") return "unknown_attempt"
  return kind === "currency-mismatch" ? "currency_mismatch" : kind
}
