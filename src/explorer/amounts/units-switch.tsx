import { Button } from '../parts/controls.js';
import { inUnits, showUnits } from './unit-choice.js';

/** Switches between amounts in the smallest unit and in units with their symbols. */
export function UnitsSwitch() {
  const isOn = inUnits.value;
  return (
    <Button
      class="units-switch"
      aria-pressed={isOn}
      title={
        isOn
          ? 'Amounts are in units, with the decimals and symbols of their currencies'
          : 'Amounts are in the smallest unit; show them in units, such as 1.5 instead of 150'
      }
      onClick={() => showUnits(!isOn)}
    >
      Units
    </Button>
  );
}
