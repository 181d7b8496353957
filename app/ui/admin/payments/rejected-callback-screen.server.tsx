import { localText } from "~/domain/local-time"
import { STORED_BYTES, type StoredCallback } from "~/domain/payments/rejected-callback"
import { printable } from "~/domain/printable"
import { consoleText as t } from "~/i18n/console-texts.server"
import { consoleHref } from "../console-frame.server"
import { gatewayName } from "../gateway-name.server"
import { Fact, ListTable } from "../list-parts.server"

/** A rejected callback: who has sent it, its headers, and its body as text. */
export function RejectedCallbackScreen({
  callback,
  timeZone,
}: {
  callback: StoredCallback
  timeZone: string
}) {
  const { id, gateway, reason, at, address, size, digest, headers } = callback
  const body = Buffer.from(callback.body, "base64").toString("utf8")
  return (
    <>
      <div className="title">
        <h1>{t("rejected.one")}</h1>
        <p>{reason}</p>
      </div>
      <section className="card">
        <dl className="facts">
          <Fact name="rejected.gateway">
            <a href={consoleHref(`/admin/gateways/${gateway}`)}>{gatewayName(gateway)}</a>
          </Fact>
          <Fact name="rejected.at">{localText(at, timeZone)}</Fact>
          <Fact name="rejected.address">{address ?? t("rejected.unknown")}</Fact>
          <Fact name="rejected.size">{t("rejected.bytes", { count: size })}</Fact>
          <Fact name="rejected.digest">
            <code className="mono">{digest}</code>
          </Fact>
        </dl>
      </section>
      <section className="card">
        <h2>{t("rejected.headers")}</h2>
        {headers.length === 0 ? <p>{t("rejected.noHeaders")}</p> : <Headers headers={headers} />}
      </section>
      <section className="card">
        <h2>{t("rejected.body")}</h2>
        {size > STORED_BYTES && <p>{t("rejected.cut", { count: STORED_BYTES })}</p>}
        {body === "" ? (
          <p>{t("rejected.noBody")}</p>
        ) : (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reachable by keyboard
          <pre className="answer" tabIndex={0}>
            {printable(body)}
          </pre>
        )}
        <p>
          <a href={consoleHref(`/admin/rejected-callbacks/${id}/body`)}>{t("rejected.download")}</a>
        </p>
      </section>
      <p>
        <a href={consoleHref("/admin/rejected-callbacks")}>{t("rejected.title")}</a>
      </p>
    </>
  )
}

function Headers({ headers }: Pick<StoredCallback, "headers">) {
  return (
    <ListTable
      label={t("rejected.headers")}
      heads={[{ text: "rejected.header" }, { text: "rejected.value" }]}
    >
      {headers.map(([name, value]) => (
        <tr key={name}>
          <td>{name}</td>
          <td className="breaks">{printable(value)}</td>
        </tr>
      ))}
    </ListTable>
  )
}
