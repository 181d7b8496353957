import { expect, type Locator } from "playwright/test"

/**
 * That a phone can read a QR code from this screen: each module is three whole pixels at least, since modules of unequal widths
 * are misread.
 */
export async function expectScannable(drawing: Locator): Promise<void> {
  const pixelsOfModule = await drawing.evaluate(
    (svg: SVGSVGElement) => svg.clientWidth / svg.viewBox.baseVal.width,
  )
  expect(pixelsOfModule).toBeGreaterThanOrEqual(3)
  expect(Number.isInteger(pixelsOfModule)).toBe(true)
}
