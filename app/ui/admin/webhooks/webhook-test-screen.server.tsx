import { printable } from "~/domain/printable"
import { consoleText as t } from "~/i18n/console-texts.server"
import { Notice } from "../form-parts.server"
import { webhookHref } from "./webhooks-screen.server"

type WebhookTestProps = {
  id: string
  result: { readonly status: number | null; readonly error: string | null; readonly response: string }
}

/** What a receiver has answered to a test event. */
export function WebhookTestScreen({ id, result: { status, error, response } }: WebhookTestProps) {
  return (
    <>
      <h1>{t("webhooks.testTitle")}</h1>
      <Notice kind={error === null ? "good" : "bad"}>
        {error === null
          ? t("webhooks.testDelivered", { status: status ?? "" })
          : t("webhooks.testFailed", { error })}
      </Notice>
      <section className="card">
        {response !== "" ? (
          <>
            <h2>{t("webhooks.response")}</h2>
            <pre className="answer">{printable(response)}</pre>
          </>
        ) : (
          <p>{t("webhooks.noResponse")}</p>
        )}
        <a className="button main" href={webhookHref(id)}>
          {t("webhooks.back")}
        </a>
      </section>
    </>
  )
}
