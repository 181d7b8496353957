import type { LocaleCode } from "../locales"
import { type LocalizedText, localizedTextFor } from "./brand"

/** Kinds of devices that the service page explains, in its order. */
export const setupDevices = ["tv", "phone", "computer"] as const
export type SetupDevice = (typeof setupDevices)[number]

/** The most steps of a device. */
export const MAX_STEPS = 6

/** The operator's steps to set up a device, from the shop file or the console. */
export type SetupSteps = Readonly<Partial<Record<SetupDevice, readonly LocalizedText[]>>>

/** The steps of a device in one language. */
export type DeviceSetup = { readonly device: SetupDevice; readonly steps: readonly string[] }

/** Devices with steps in a language. A language without a step gets the others; a device without any is left out. */
export function setupIn(setup: SetupSteps, locale: LocaleCode): readonly DeviceSetup[] {
  return setupDevices
    .map((device) => ({
      device,
      steps: (setup[device] ?? []).map((step) => localizedTextFor(step, locale)).filter((it) => it !== null),
    }))
    .filter(({ steps }) => steps.length > 0)
}
