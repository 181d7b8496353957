import { Form, Link } from "react-router"
import type { Order } from "~/domain/orders/order"
import { useLocale } from "~/i18n/use-locale"
import { useTranslation } from "~/i18n/use-translation"
import { ConfirmCard } from "../form/confirm-card"
import { AddressText } from "../layout/address-text"
import { moneyText } from "../layout/format"

/** What the loader gets ready of the questions about an order. */
export type QuestionTexts = {
  /** What becomes of the part that has been paid if the order is cancelled; null: nothing has been. */
  readonly paidPart: string | null
  /** What becomes of payments if the order is cancelled. */
  readonly abort: string
  readonly editHeading: string
  /** What a change of the order does. */
  readonly edit: string
  /** What has been chosen since, where the buyer decides between it and the order; null: it is not on sale. */
  readonly newChoice: string | null
  /** For those who have paid a moment ago, before they cancel or change the order. */
  readonly justPaid: string
}

type Question = {
  /** See `ConfirmCard`. */
  isPage: boolean
  texts: QuestionTexts
}

/** Confirms cancelling the order to edit the selection. */
export function EditConfirm({ isPage, texts }: Question) {
  const { t } = useTranslation()
  return (
    <ConfirmCard heading={texts.editHeading} isPage={isPage}>
      <p className="lead">{texts.edit}</p>
      {texts.paidPart && <p className="lead">{texts.paidPart}</p>}
      <ConfirmButtons
        intent="edit"
        justPaid={texts.justPaid}
        yes={t("waiting.edit.confirm")}
        no={t("waiting.keep")}
      />
    </ConfirmCard>
  )
}

type Other = Question & {
  order: Pick<Order, "id" | "total">
  isLocked: boolean
}

/** Another tab sent another selection: the buyer decides. `isLocked`: the open order cannot be cancelled at the moment. */
export function AnotherSelection({ order: { id: order, total }, isLocked, isPage, texts }: Other) {
  const { t } = useTranslation()
  const keep = t("waiting.another.keep", { order })
  return (
    <ConfirmCard heading={t("waiting.another.heading")} isPage={isPage}>
      <p className="lead">{t("waiting.another.lead", { order, total: moneyText(total, useLocale()) })}</p>
      {texts.newChoice && (
        <p className="lead">
          <AddressText text={texts.newChoice} />
        </p>
      )}
      {texts.paidPart && <p className="lead">{texts.paidPart}</p>}
      {isLocked ? (
        <>
          <p className="note">{t("waiting.locked")}</p>
          <BackToPaymentLink text={keep} />
        </>
      ) : (
        <ConfirmButtons
          intent="another"
          justPaid={texts.justPaid}
          yes={t("waiting.another.confirm")}
          no={keep}
        />
      )}
    </ConfirmCard>
  )
}

/** Confirms cancelling the order, which cannot be undone. */
export function AbortConfirm({ isPage, texts }: Question) {
  const { t } = useTranslation()
  return (
    <ConfirmCard heading={t("waiting.abort.heading")} isPage={isPage}>
      <p className="lead">{texts.abort}</p>
      <ConfirmButtons
        intent="abort"
        justPaid={texts.justPaid}
        yes={t("waiting.abort.confirm")}
        no={t("waiting.keep")}
      />
    </ConfirmCard>
  )
}

/** Link back to the payment: the URL without the confirmation parameter. */
export function BackToPaymentLink({ text }: { text: string }) {
  return (
    <Link className="button" to="?">
      {text}
    </Link>
  )
}

type AnswersProps = { intent: "edit" | "abort" | "another"; justPaid: string; yes: string; no: string }

function ConfirmButtons({ intent, justPaid, yes, no }: AnswersProps) {
  return (
    <>
      <p className="note">{justPaid}</p>
      <Link className="main button" to="?">
        {no}
      </Link>
      <Form method="post">
        <button className="large destroys" name="intent" value={intent}>
          {yes}
        </button>
      </Form>
    </>
  )
}
