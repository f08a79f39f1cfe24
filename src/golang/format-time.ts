import { daysBefore } from './calendar.ts';
import { civilTime, MONTHS, type Time, WEEKDAYS } from './time.ts';
import { splitLayout } from './time-layout.ts';

/** Go's Time.Format. */
export function formatTime(time: Time, layout: string): string {
  const civil = civilTime(time);
  return splitLayout(layout)
    .map(({ literal, element }) => literal + elementText(element, time, civil))
    .join('');
}

/** Go's Time.String. */
export function timeText(time: Time): string {
  return formatTime(time, '2006-01-02 15:04:05.999999999 -0700 MST');
}

/** From 1. */
export function yearDay(time: Time): number {
  const { year, month, day } = civilTime(time);
  return daysBefore(year, month) - daysBefore(year, 1) + day;
}

/** 0 is Sunday. */
export function weekday(time: Time): number {
  const { year, month, day } = civilTime(time);
  // 1970-01-01 was a Thursday.
  const days = daysBefore(year, month) + day - 1 + 4;
  return ((days % 7) + 7) % 7;
}

function elementText(element: string, time: Time, civil: ReturnType<typeof civilTime>): string {
  const { year, month, day, hour, minute, second } = civil;
  const monthName = MONTHS[month - 1] as string;
  const twelve = hour % 12 || 12;
  switch (element) {
    case '':
      return '';
    case '2006':
      return year < 0 ? `-${padded(-year, 4)}` : padded(year, 4);
    case '06':
      return padded(Math.abs(year) % 100);
    case 'January':
      return monthName;
    case 'Jan':
      return monthName.slice(0, 3);
    case '1':
      return String(month);
    case '01':
      return padded(month);
    case 'Monday':
      return WEEKDAYS[weekday(time)] as string;
    case 'Mon':
      return (WEEKDAYS[weekday(time)] as string).slice(0, 3);
    case '2':
      return String(day);
    case '02':
      return padded(day);
    case '_2':
      return String(day).padStart(2);
    case '002':
      return padded(yearDay(time), 3);
    case '__2':
      return String(yearDay(time)).padStart(3);
    case '15':
      return padded(hour);
    case '3':
      return String(twelve);
    case '03':
      return padded(twelve);
    case '4':
      return String(minute);
    case '04':
      return padded(minute);
    case '5':
      return String(second);
    case '05':
      return padded(second);
    case 'PM':
      return hour >= 12 ? 'PM' : 'AM';
    case 'pm':
      return hour >= 12 ? 'pm' : 'am';
    case 'MST':
      return time.zone.name || offsetText('-0700', time.zone.offset);
    default:
      return /^[-Z]/.test(element) ? offsetText(element, time.zone.offset) : fraction(element, time.nanos);
  }
}

/** `element` is such as `-0700` or `Z07:00`. */
function offsetText(element: string, offset: number): string {
  if (element.startsWith('Z') && offset === 0) return 'Z';
  const size = Math.abs(offset);
  const numbers = [Math.floor(size / 3600), Math.floor((size % 3600) / 60), size % 60];
  const count = element.replace(/\D/g, '').length / 2;
  const sign = offset <= -60 ? '-' : '+';
  return (
    sign +
    numbers
      .slice(0, count)
      .map((number) => padded(number))
      .join(element.includes(':') ? ':' : '')
  );
}

function fraction(element: string, nanos: number): string {
  const digits = padded(nanos, 9)
    .padEnd(element.length - 1, '0')
    .slice(0, element.length - 1);
  if (!element.endsWith('9')) return element.charAt(0) + digits;
  const significant = digits.replace(/0+$/, '');
  return significant === '' ? '' : element.charAt(0) + significant;
}

function padded(value: number, digits = 2): string {
  return String(value).padStart(digits, '0');
}
