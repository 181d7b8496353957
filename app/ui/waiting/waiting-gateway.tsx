import { Form } from "react-router"
import { useTranslation } from "~/i18n/use-translation"
import { QuestionCard } from "../form/confirm-card"
import type { Problems } from "../form/form-errors"
import { GatewayChoice, type GatewayOffer } from "../form/gateway-picker"
import { BackLink } from "./waiting-confirm"

/** `choose`: no gateway was named. `not-opened`: the one he wanted could not be opened. */
export type GatewayProblem = "choose" | "not-opened"

type Change = {
  others: readonly GatewayOffer[]
  /** Where the payment that is open now is made. */
  host: string
  problem: GatewayProblem | null
}

/** Another way to pay the same order. The first one is not undone: what is paid there counts. */
export function WaitingGateway({ others, host, problem }: Change) {
  const { t } = useTranslation()
  const [only, ...more] = others
  const problems: Problems = problem === "choose" ? { gateway: ["checkout.gateway.required"] } : {}
  return (
    <QuestionCard heading={t("waiting.gateway.heading")}>
      {problem === "not-opened" && (
        <div className="problems" role="alert">
          <p>{t("waiting.gateway.notOpened", { host })}</p>
        </div>
      )}
      {/* The gateway is another site: there the browser goes by itself. */}
      <Form method="post" reloadDocument>
        <GatewayChoice
          gateways={others}
          chosen={more.length === 0 ? (only?.id ?? null) : null}
          problems={problems}
        />
        <button className="main" name="intent" value="gateway">
          {t("checkout.pay")}
        </button>
      </Form>
      <p className="note">{t("waiting.gateway.note", { host })}</p>
      <BackLink text={t("waiting.back")} />
    </QuestionCard>
  )
}
