/** `gone`: the receiver has answered 410. `failing`: nothing was delivered for days. `operator`: the operator has paused it. */
export type PauseReason = "gone" | "failing" | "operator"

/** State of a delivery. `failed`: given up after the last try. `skipped`: the endpoint does not subscribe to its type any more. */
export type WebhookDeliveryState = "waiting" | "delivered" | "failed" | "skipped"
