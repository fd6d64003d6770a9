/* What is told when a test fails besides what failed, such as the round of a random test (support/rounds.h). */
#ifndef FAILURE_H
#define FAILURE_H

/* The one function that is called when a test fails, and where a program ends, if a test is then still running. */
void failure_call(void (*tell)(void));

/* Calls it. For those who run tests. */
void failure_tell(void);

/* For the function: lines of text that go to the report of the test. */
void failure_print(const char *text);

/* Ends the test as the signal does that is being handled. */
void failure_signal(int number);

#endif
