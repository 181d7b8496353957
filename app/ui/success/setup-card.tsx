import type { ReactNode } from "react"
import type { SetupDevice } from "~/domain/shop/setup-steps"
import type { PlayerLink } from "~/domain/shop/shop-links"
import { PlayerApps } from "./player-apps"

/** Set-up by device, as texts in the page's language. */
export type SetupView = {
  readonly heading: string
  readonly devices: readonly {
    readonly device: SetupDevice
    readonly name: string
    readonly steps: readonly string[]
    readonly apps: readonly PlayerLink[]
  }[]
  /** Apps for this device, if none of the devices is of its kind. */
  readonly apps: readonly PlayerLink[]
}

type Setup = {
  setup: SetupView
  /** Registration of a device by its address, which TV boxes have. */
  children: ReactNode
}

/**
 * Steps by device. The tabs are radios, so that they work without script; a browser without `:has` shows all devices below
 * each other.
 */
export function SetupCard({ setup: { heading, devices, apps: others }, children }: Setup) {
  return (
    <section className="card setup">
      <h2>{heading}</h2>
      {devices.length > 1 && (
        <fieldset className="bare tabs">
          <legend className="hidden">{heading}</legend>
          {devices.map(({ device, name }, index) => (
            <label key={device}>
              <input type="radio" name="setup-device" value={device} defaultChecked={index === 0} />
              {name}
            </label>
          ))}
        </fieldset>
      )}
      {devices.map(({ device, name, steps, apps }) => (
        <div key={device} className={`panel for-${device}`}>
          <h3>{name}</h3>
          <ol className="setup-steps">
            {steps.map((step) => (
              <li key={step}>{step}</li>
            ))}
          </ol>
          <PlayerApps apps={apps} />
        </div>
      ))}
      <PlayerApps apps={others} />
      <div className={devices.some(({ device }) => device === "tv") ? "panel for-tv" : undefined}>
        {children}
      </div>
    </section>
  )
}
