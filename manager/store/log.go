package store

import (
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/lni/dragonboat/v4/logger"
	"github.com/rs/zerolog"
)

// The Raft library has one logger factory per process, which can be set only once. Its messages go to the logger of the
// store opened last.
var (
	raftLog        atomic.Pointer[zerolog.Logger]
	raftLogFactory sync.Once
)

func setRaftLog(log zerolog.Logger) {
	raftLog.Store(&log)
	raftLogFactory.Do(func() {
		logger.SetLoggerFactory(func(part string) logger.ILogger { return raftLogger(part) })
	})
}

// raftLogger is the logger of one part of the Raft library. The library's information is logged at debug level.
type raftLogger string

// SetLevel does nothing; the underlying logger has its own level.
func (l raftLogger) SetLevel(logger.LogLevel) {}

// Debugf drops messages for the library's developers.
func (l raftLogger) Debugf(string, ...any) {}

// Infof logs at debug level.
func (l raftLogger) Infof(format string, args ...any) { l.say(raftLog.Load().Debug(), format, args) }

// Warningf logs at debug level, too: callers of the store get an error for whatever matters.
func (l raftLogger) Warningf(format string, args ...any) { l.say(raftLog.Load().Debug(), format, args) }

// Errorf logs at error level.
func (l raftLogger) Errorf(format string, args ...any) { l.say(raftLog.Load().Error(), format, args) }

// Panicf logs and panics, because its caller cannot continue.
func (l raftLogger) Panicf(format string, args ...any) {
	l.say(raftLog.Load().Error(), format, args)
	panic(fmt.Sprintf("raft "+string(l)+": "+format, args...))
}

func (l raftLogger) say(e *zerolog.Event, format string, args []any) {
	e.Str("raft", string(l)).Msgf(format, args...)
}
