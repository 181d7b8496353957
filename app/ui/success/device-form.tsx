import { Form } from "react-router"
import type { Service } from "~/domain/service"
import { useTranslation } from "~/i18n/use-translation"
import { FieldError, type FieldErrors, fieldErrorProps } from "../form/form-errors"

type Device = { service: Pick<Service, "id" | "deviceAddress">; errors: FieldErrors; typed: string | null }

/** Form for the device's MAC address, in any notation. */
export function DeviceForm({ service, errors, typed }: Device) {
  const { t } = useTranslation()
  return (
    <section className="card">
      <h2>{t("device.heading")}</h2>
      {service.deviceAddress && (
        <p>
          {t("device.now")} <code>{service.deviceAddress}</code>
        </p>
      )}
      <Form method="post" preventScrollReset>
        <input type="hidden" name="serviceid" value={service.id} />
        <label className="field" htmlFor="deviceAddress">
          {t("device.label")}
        </label>
        <input
          id="deviceAddress"
          name="deviceAddress"
          required
          maxLength={100}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          placeholder="00:1A:79:12:34:56"
          key={service.deviceAddress}
          defaultValue={typed ?? service.deviceAddress ?? ""}
          {...fieldErrorProps(errors, "deviceAddress")}
        />
        <FieldError errors={errors} field="deviceAddress" />
        <p className="note">{t("device.note")}</p>
        <button name="intent" value="device">
          {t("device.save")}
        </button>
      </Form>
    </section>
  )
}
