import type { CustomerDetails } from "~/billing/customers/customer-admin"
import { localText } from "~/domain/local-time"
import { consoleText as t } from "~/i18n/console-texts.server"
import { amountText } from "../amount-text.server"
import { gatewayName } from "../gateway-name.server"
import { ListTable } from "../list-parts.server"
import { StatusPill } from "../orders/orders-screen.server"
import { mailHref, orderHref, serviceHref } from "../record-links.server"
import { paidUntilText, ServicePill } from "../services/services-screen.server"

type HistoryProps = { customer: CustomerDetails; timeZone: string }

/** Services, orders, payments, credit and messages of a customer, newest first. */
export function CustomerHistory(props: HistoryProps) {
  return (
    <>
      <Services {...props} />
      <Orders {...props} />
      <Payments {...props} />
      <Credit {...props} />
      <Mails {...props} />
    </>
  )
}

function Services({ customer: { services }, timeZone }: HistoryProps) {
  return (
    <section className="card">
      <h2>{t("customer.services")}</h2>
      {services.length === 0 ? (
        <p>{t("customer.noServices")}</p>
      ) : (
        <ul className="rows">
          {services.map(({ id, name, status, username, paidUntil }) => (
            <li key={id}>
              <div className="grow">
                <a href={serviceHref(id)}>{name}</a> <small>{username}</small>
                <p>
                  {t("services.end")}: {paidUntilText({ status, paidUntil }, timeZone)}
                </p>
              </div>
              <ServicePill status={status} />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

function Orders({ customer: { orders }, timeZone }: HistoryProps) {
  return (
    <section className="card">
      <h2>{t("customer.orders")}</h2>
      {orders.length === 0 ? (
        <p>{t("customer.noOrders")}</p>
      ) : (
        <ListTable
          label={t("customer.orders")}
          heads={[
            { text: "customer.order" },
            { text: "customer.status" },
            { text: "customer.when" },
            { text: "customer.amount", isNumber: true },
          ]}
        >
          {orders.map(({ id, status, placedAt, total }) => (
            <tr key={id}>
              <td>
                <a href={orderHref(id)}>{id}</a>
              </td>
              <td>
                <StatusPill status={status} />
              </td>
              <td>{localText(placedAt, timeZone)}</td>
              <td className="number">{amountText(total)}</td>
            </tr>
          ))}
        </ListTable>
      )}
    </section>
  )
}

function Payments({ customer: { payments }, timeZone }: HistoryProps) {
  return (
    <section className="card">
      <h2>{t("customer.payments")}</h2>
      {payments.length === 0 ? (
        <p>{t("customer.noPayments")}</p>
      ) : (
        <ListTable
          label={t("customer.payments")}
          heads={[
            { text: "customer.when" },
            { text: "customer.order" },
            { text: "customer.gateway" },
            { text: "customer.amount", isNumber: true },
          ]}
        >
          {payments.map(({ orderId, amount, gateway, transactionId, bookedAt }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rendered once, and two payments may be equal
            <tr key={index}>
              <td>{localText(bookedAt, timeZone)}</td>
              <td>
                <a href={orderHref(orderId)}>{orderId}</a>
              </td>
              <td>
                {gateway === null ? t("customer.outside") : gatewayName(gateway)}
                {transactionId !== null && <p className="note">{transactionId}</p>}
              </td>
              <td className="number">{amountText(amount)}</td>
            </tr>
          ))}
        </ListTable>
      )}
    </section>
  )
}

function Credit({ customer: { creditMovements }, timeZone }: HistoryProps) {
  if (creditMovements.length === 0) return null
  return (
    <section className="card">
      <h2>{t("customer.movements")}</h2>
      <ListTable
        label={t("customer.movements")}
        heads={[
          { text: "customer.when" },
          { text: "customer.what" },
          { text: "customer.amount", isNumber: true },
        ]}
      >
        {creditMovements.map(({ amount, cause, orderId, reason, at }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rendered once, and two entries may be equal
          <tr key={index}>
            <td>{localText(at, timeZone)}</td>
            <td>
              {t(`customer.causes.${cause}`)}
              {orderId !== null && (
                <>
                  {" "}
                  <a href={orderHref(orderId)}>{orderId}</a>
                </>
              )}
              {reason && <p className="note">{reason}</p>}
            </td>
            <td className="number">{amountText(amount)}</td>
          </tr>
        ))}
      </ListTable>
    </section>
  )
}

function Mails({ customer: { mails }, timeZone }: HistoryProps) {
  return (
    <section className="card">
      <h2>{t("customer.mails")}</h2>
      {mails.length === 0 ? (
        <p>{t("customer.noMails")}</p>
      ) : (
        <ul className="rows timeline">
          {mails.map(({ id, name, state, reason, email, createdAt }) => (
            <li key={id}>
              <div className="grow">
                <a href={mailHref(id)}>{t(`mail.names.${name}`)}</a>{" "}
                <small>{t(`mail.states.${state}`)}</small>
                <p>{[email, reason].filter(Boolean).join(", ")}</p>
              </div>
              <time>{localText(createdAt, timeZone)}</time>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
